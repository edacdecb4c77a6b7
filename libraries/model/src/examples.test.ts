import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toExternal } from "./conversion/external.ts";
import { subscriptionId, testRequest, versionNamed } from "./testing/test-cluster.ts";
import { applyClusterRequest } from "./validation/put-or-patch-request.ts";

const variables: Readonly<Record<string, string>> = {
  AZURE_SUBSCRIPTION_ID: subscriptionId,
  CLUSTER: "cluster",
  LOCATION: "eastus",
  AZURE_CLIENT_ID: "2c3b9f0e-6a47-4a0b-9a2c-6f2b8f5f3f10",
  AZURE_CLIENT_SECRET: "its-secret",
  VNET_RESOURCEGROUP: "network",
};

const roleSets = [
  {
    openShiftVersion: "4.16",
    operatorNames: [
      ...["aro-operator", "cloud-controller-manager", "cloud-network-config", "disk-csi-driver"],
      ...["file-csi-driver", "image-registry", "ingress", "machine-api"],
    ],
  },
];

/** Replaces variables like the program `envsubst`. */
function substitute(text: string): string {
  return text.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = variables[name];
    assert.ok(value, `the example uses an undocumented variable ${name}`);
    return value;
  });
}

for (const [file, api] of [
  ["cluster-v20191231.json", "2019-12-31-preview"],
  ["cluster-v20250725.json", "2025-07-25"],
  ["cluster-v20250725-identities.json", "2024-08-12-preview"],
  ["cluster-v20250725-identities.json", "2025-07-25"],
] as const) {
  test(`examples/${file} creates a cluster with ${api}`, () => {
    const path = new URL(`../../../examples/${file}`, import.meta.url);
    const body: unknown = JSON.parse(substitute(readFileSync(path, "utf8")));
    const version = versionNamed(api);
    const cluster = applyClusterRequest(testRequest({ version, body, roleSets }));
    assert.equal(cluster.properties.provisioningState, "Creating");
    assert.equal(cluster.properties.workerProfiles[0]?.count, 3);
    assert.doesNotMatch(JSON.stringify(toExternal(version, cluster, "write")), /its-secret/);
  });
}
