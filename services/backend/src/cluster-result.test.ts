import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError, resourceKey } from "@keelson/arm";
import { Secret } from "@keelson/base";
import { newCluster } from "@keelson/cluster/testing";
import type { ClusterDocument, ClusterProperties } from "@keelson/model";
import { terminalCluster } from "./cluster-result.ts";

const refusal = new CloudError("QuotaExceeded", "Too few cores.", { target: "workers" });

interface Row {
  readonly name: string;
  readonly before: Partial<ClusterProperties>;
  readonly error?: Error;
  readonly transient?: boolean;
  /** Properties that the completed operation must set. */
  readonly after: Partial<ClusterProperties>;
}

const maintained = { provisioningState: "AdminUpdating", maintenanceTask: "Everything" } as const;
const rows: readonly Row[] = [
  {
    name: "a creation that succeeds",
    before: { provisioningState: "Creating" },
    after: { provisioningState: "Succeeded" },
  },
  {
    name: "a creation that fails for good",
    before: { provisioningState: "Creating" },
    error: refusal,
    after: { provisioningState: "Failed", failedProvisioningState: "Creating" },
  },
  {
    name: "a creation that fails for now",
    before: { provisioningState: "Creating" },
    error: refusal,
    transient: true,
    after: { provisioningState: "Failed", failedProvisioningState: "Creating", creationResumable: true },
  },
  {
    name: "a creation that fails for now, but has machines",
    before: { provisioningState: "Creating", installState: new Secret("{}") },
    error: refusal,
    transient: true,
    after: { provisioningState: "Failed", failedProvisioningState: "Creating" },
  },
  {
    name: "an update that fails",
    before: { provisioningState: "Updating", lastProvisioningState: "Succeeded" },
    error: refusal,
    after: { provisioningState: "Failed", failedProvisioningState: "Updating" },
  },
  {
    name: "an update that repairs a failed cluster leaves the word on maintenance as it is",
    before: {
      provisioningState: "Updating",
      lastProvisioningState: "Failed",
      failedProvisioningState: "Updating",
      maintenanceState: "Pending",
      lastAdminUpdateError: "earlier",
    },
    after: { provisioningState: "Succeeded", maintenanceState: "Pending", lastAdminUpdateError: "earlier" },
  },
  {
    name: "maintenance that succeeds",
    before: { ...maintained, lastProvisioningState: "Succeeded", maintenanceState: "Planned" },
    after: { provisioningState: "Succeeded", maintenanceState: "None" },
  },
  {
    name: "maintenance of one kind",
    before: { ...maintained, maintenanceTask: "OperatorUpdate", lastProvisioningState: "Succeeded" },
    after: { provisioningState: "Succeeded", maintenanceState: "None" },
  },
  {
    name: "maintenance that fails on a good cluster",
    before: { ...maintained, lastProvisioningState: "Succeeded", maintenanceState: "Unplanned" },
    error: refusal,
    after: {
      provisioningState: "Succeeded",
      failedProvisioningState: "AdminUpdating",
      maintenanceState: "Unplanned",
      lastAdminUpdateError: "400: QuotaExceeded: workers: Too few cores.",
    },
  },
  {
    name: "maintenance that succeeds after maintenance that failed",
    before: {
      ...maintained,
      lastProvisioningState: "Succeeded",
      failedProvisioningState: "AdminUpdating",
      lastAdminUpdateError: "earlier",
    },
    after: { provisioningState: "Succeeded", maintenanceState: "None" },
  },
  {
    name: "maintenance that succeeds on a failed cluster does not make it a good one",
    before: { ...maintained, lastProvisioningState: "Failed", failedProvisioningState: "Updating" },
    after: { provisioningState: "Failed", failedProvisioningState: "Updating", maintenanceState: "None" },
  },
  {
    name: "maintenance that fails on a failed cluster, with an internal error",
    before: { ...maintained, lastProvisioningState: "Failed", failedProvisioningState: "Updating" },
    error: new Error("no connection"),
    after: {
      provisioningState: "Failed",
      failedProvisioningState: "Updating",
      lastAdminUpdateError: "no connection",
    },
  },
];

for (const { name, before, error, transient = false, after } of rows) {
  test(`the state after ${name}`, () => {
    const openShiftCluster = newCluster({ name: "demo", subscriptionId: "s" });
    const document: ClusterDocument = {
      id: "id",
      partitionKey: "s",
      key: resourceKey(openShiftCluster.id),
      clusterResourceGroupIdKey: "group",
      clientIdKey: "client",
      bucket: 1,
      asyncOperationId: "operation",
      correlationData: { requestId: "r", operationId: "operation", requestTime: "2026-01-01T00:00:00Z" },
      openShiftCluster: { ...openShiftCluster, properties: { ...openShiftCluster.properties, ...before } },
    };
    const terminal = terminalCluster(document, error ? { error, transient } : {}, "new build");
    assert.equal(terminal.asyncOperationId, undefined);
    assert.equal(terminal.correlationData, undefined);
    const { properties } = terminal.openShiftCluster;
    const maintainedWell = before.provisioningState === "AdminUpdating" && !error;
    const didEverything = maintainedWell && before.maintenanceTask === "Everything";
    assert.equal(properties.provisionedBy === "new build", didEverything);
    const decided = [
      ...["provisioningState", "lastProvisioningState", "failedProvisioningState"],
      ...["maintenanceTask", "maintenanceState", "lastAdminUpdateError", "creationResumable"],
    ];
    assert.deepEqual(
      Object.fromEntries(Object.entries(properties).filter(([member]) => decided.includes(member))),
      after,
    );
  });
}
