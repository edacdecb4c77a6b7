import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { type Graph, graphProblems } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { adminUpdateGraph } from "./admin-update.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./create.ts";
import { deleteGraph } from "./delete.ts";
import { maintenanceTaskGraphs } from "./maintenance.ts";
import { updateGraph } from "./update.ts";
import {
  identityBootstrapGraph,
  identityDeleteGraph,
  identityRemoveBootstrapGraph,
  identityUpdateGraph,
} from "./workload-identity.ts";

function adminUpdate(
  change: Partial<ClusterProperties>,
  version = "4.19.24",
  hasIdentities = false,
): Graph<ClusterContext> {
  const cluster = newCluster({ name: "demo", state: "AdminUpdating" });
  const { servicePrincipalProfile, ...properties } = cluster.properties;
  assert.ok(servicePrincipalProfile);
  const clusterProfile = { ...properties.clusterProfile, version };
  const identity = hasIdentities ? { platformWorkloadIdentityProfile: {} } : { servicePrincipalProfile };
  return adminUpdateGraph({
    ...cluster,
    properties: { ...properties, clusterProfile, ...identity, ...change },
  });
}

for (const [operation, graphs] of Object.entries({
  create: [bootstrapGraph, removeBootstrapGraph],
  update: [updateGraph],
  "admin update": [adminUpdate({})],
  delete: [deleteGraph],
  "create with managed identities": [identityBootstrapGraph, identityRemoveBootstrapGraph],
  "update with managed identities": [identityUpdateGraph],
  "delete with managed identities": [identityDeleteGraph],
  ...Object.fromEntries([...maintenanceTaskGraphs].map(([id, graph]) => [`task ${id}`, [graph]])),
})) {
  test(`the graph of ${operation} has unique names, needs that exist, and no cycle`, () => {
    assert.deepEqual(graphProblems(graphs), []);
  });
}

test("clusters with managed identities have no step of service principals, and theirs in their order", () => {
  const orderOf = (graph: Graph<ClusterContext>) => {
    const done: string[] = [];
    let waiting = [...graph.steps];
    while (waiting.length > 0) {
      const next = waiting.find(({ needs }) => needs.every((need) => done.includes(need)));
      assert.ok(next);
      done.push(next.name);
      waiting = waiting.filter((each) => each !== next);
    }
    return done;
  };
  const servicePrincipal = /SPObjectID|ServicePrincipal|updateOpenShiftSecret|aroCredentials|AROSecret/;
  for (const [graph, wanted] of [
    [
      identityBootstrapGraph,
      [
        ...["ensureClusterMsiCertificate", "platformWorkloadIdentityIDs", "validateResources"],
        ...["clusterIdentityIDs", "federateIdentityCredentials", "createMachines"],
        "deployPlatformWorkloadIdentitySecrets",
      ],
    ],
    [
      identityUpdateGraph,
      [
        ...["fixupClusterMsiTenantID", "ensureClusterMsiCertificate", "platformWorkloadIdentityIDs"],
        ...["validateResources", "clusterIdentityIDs", "ensurePlatformWorkloadIdentityRBAC"],
        ...["federateIdentityCredentials", "deployPlatformWorkloadIdentitySecrets"],
      ],
    ],
    [identityDeleteGraph, ["deleteDNS", "deleteOIDC", "deleteResourceGroup", "deleteFederatedCredentials"]],
  ] as const) {
    const order = orderOf(graph);
    assert.deepEqual(
      order.filter((name) => servicePrincipal.test(name)),
      [],
    );
    assert.deepEqual(
      order.filter((name) => wanted.some((each) => each === name)),
      wanted,
    );
  }
});

describe("an admin update runs, in this order, for", () => {
  const first = ["ensureBillingRecord", "ensureDefaults", "fixupClusterSPObjectID", "fixInfraID"];
  const firstOfIdentities = [
    ...["ensureBillingRecord", "ensureDefaults", "fixupClusterMsiTenantID", "ensureClusterMsiCertificate"],
    ...["clusterIdentityIDs", "platformWorkloadIdentityIDs", "fixInfraID"],
  ];
  const up = ["startVMs", "apiServersReady"];
  const general = [
    ...["ensureResourceGroup", "createOrUpdateDenyAssignment", "ensureServiceEndpoints"],
    ...["populateRegistryStorageAccountName", "migrateStorageAccounts", "fixSSH", ...up],
    ...["recordMasterHostKeys", "rewriteWorkerProfilesStatus", "fixSREKubeconfig", "fixUserAdminKubeconfig"],
    "createOrUpdateRouterIPFromCluster",
    ...["ensureGatewayUpgrade", "rotateACRTokenPassword", "ensureMTUSize", "reconcileSoftwareDefinedNetwork"],
  ];
  const certificates = [
    "populateDatabaseIntIP",
    "correctCertificateIssuer",
    "configureAPIServerCertificate",
    "configureIngressCertificate",
  ];
  const operator = [
    ...["ensureAROOperator", "aroDeploymentReady", "ensureAROOperatorRunningDesiredVersion"],
    "syncClusterObject",
  ];
  const cases: readonly {
    readonly name: string;
    readonly properties: Partial<ClusterProperties>;
    readonly version?: string;
    readonly hasIdentities?: boolean;
    readonly steps: readonly string[];
  }[] = [
    {
      name: "no task: everything",
      properties: {},
      steps: [...first, ...general, ...certificates, ...operator, "hiveEnsureResources"],
    },
    {
      name: "Everything",
      properties: { maintenanceTask: "Everything" },
      steps: [...first, ...general, ...certificates, ...operator, "hiveEnsureResources"],
    },
    {
      name: "Everything on a version without operator updates",
      properties: { maintenanceTask: "Everything" },
      version: "4.6.62",
      steps: [...first, ...general, ...certificates, "hiveEnsureResources"],
    },
    {
      name: "OperatorUpdate",
      properties: { maintenanceTask: "OperatorUpdate" },
      steps: [...first, ...up, ...operator],
    },
    {
      name: "CertificatesRenewal of a cluster with managed identities",
      properties: { maintenanceTask: "CertificatesRenewal" },
      hasIdentities: true,
      steps: [...firstOfIdentities, ...up, ...certificates],
    },
    {
      name: "OperatorUpdate on the first version with operator updates",
      properties: { maintenanceTask: "OperatorUpdate" },
      version: "4.7.0",
      steps: [...first, ...up, ...operator],
    },
    {
      name: "OperatorUpdate on an older version",
      properties: { maintenanceTask: "OperatorUpdate" },
      version: "4.6.62",
      steps: first,
    },
    {
      name: "CertificatesRenewal",
      properties: { maintenanceTask: "CertificatesRenewal" },
      steps: [...first, ...up, ...certificates],
    },
    {
      name: "SyncClusterObject",
      properties: { maintenanceTask: "SyncClusterObject" },
      steps: [...first, ...up, "syncClusterObject"],
    },
    {
      name: "MigrateLoadBalancer",
      properties: { maintenanceTask: "MigrateLoadBalancer" },
      steps: [...first, "migrateInternalLoadBalancerZones", "fixSSH"],
    },
  ];
  for (const { name, properties, version, hasIdentities, steps } of cases) {
    test(name, () => {
      const graph = adminUpdate(properties, version, hasIdentities);
      assert.deepEqual(
        graph.steps.map((each) => each.name),
        steps,
      );
      const needs = graph.steps.map((each) => each.needs);
      assert.deepEqual(needs, [[], ...steps.slice(0, -1).map((each) => [each])]);
    });
  }
});
