import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { conditionOf } from "../../base/conditions.ts";
import { resources } from "../../base/resources.ts";
import { clusterOperatorsController } from "./controller.ts";
import { managementAnnotation } from "./ownership.ts";

const name = "kube-apiserver";
const namespace = "openshift-kube-apiserver-operator";
const path = `/apis/config.openshift.io/v1/clusteroperators/${name}`;
const leaseKey = { namespace, name: "kube-apiserver-operator-lock" };

const available = async (client: ClusterClient, operator: string) =>
  conditionOf(await client.get(resources.clusterOperators, { name: operator }), "Available").message;

/** Writes the ClusterOperator status like a real operator. */
async function writeAsOperator(world: ApiWorld, message: string): Promise<void> {
  const current = await world.client.get(resources.clusterOperators, { name });
  const conditions = [
    {
      type: "Available",
      status: "True",
      reason: "AsExpected",
      message,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    },
  ];
  const body = { ...current, status: { ...objectAt(current, "status"), conditions } };
  const response = await world.call("PUT", `${path}/status?fieldManager=cluster-kube-apiserver-operator`, {
    body,
  });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}

function lease(holderIdentity: string): KubeObject {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: leaseKey,
    spec: {
      holderIdentity,
      leaseDurationSeconds: 137,
      renewTime: new Date().toISOString().replace("Z", "000Z"),
    },
  };
}

/** Sets the target version, and waits until the simulation reports this version for the last operator in the table. */
async function simulationReports(client: ClusterClient, version: string): Promise<void> {
  const clusterVersion = await client.get(resources.clusterVersions, { name: "version" });
  await client.updateStatus(resources.clusterVersions, {
    ...clusterVersion,
    status: {
      availableUpdates: null,
      desired: { image: `example.com/release:${version}`, version },
      observedGeneration: 1,
      versionHash: "",
    },
  });
  await eventually(async () => assert.match((await available(client, "console")) ?? "", new RegExp(version)));
}

describe("a ClusterOperator with a running operator", { timeout: 900_000 }, () => {
  test("is not written by the simulation until the operator is deleted or releases it", async () => {
    await using world = await ApiWorld.start([clusterOperatorsController]);
    const { client } = world;
    await client.create(resources.namespaces, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    await client.create(resources.clusterVersions, {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
      spec: { clusterID: "7a1f3b0e-52a6-4b5e-9a53-0a6b1c2d3e4f" },
    });
    await simulationReports(client, "4.19.1");
    assert.match((await available(client, name)) ?? "", /4\.19\.1/);

    await client.create(resources.leases, lease("operator-pod_1"));
    await writeAsOperator(world, "3 nodes are active");
    await simulationReports(client, "4.19.2");
    assert.equal(await available(client, name), "3 nodes are active");

    await client.mergePatch(resources.leases, leaseKey, {
      spec: {
        holderIdentity: "",
        renewTime: new Date(Date.now() + 1_000).toISOString().replace("Z", "000Z"),
      },
    });
    await eventually(async () => assert.match((await available(client, name)) ?? "", /4\.19\.2/));

    const annotate = (state: string | null) =>
      client.mergePatch(
        resources.clusterOperators,
        { name },
        {
          metadata: { annotations: { [managementAnnotation]: state } },
        },
      );
    await annotate("Unmanaged");
    await writeAsOperator(world, "by hand");
    await simulationReports(client, "4.19.3");
    assert.equal(await available(client, name), "by hand");
    await annotate("Managed");
    await eventually(async () => assert.match((await available(client, name)) ?? "", /4\.19\.3/));
  });
});
