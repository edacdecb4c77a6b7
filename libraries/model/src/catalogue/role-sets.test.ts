import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { identityBody, installedCluster, versionNamed } from "../testing/test-cluster.ts";
import { platformIdentityRoles } from "./role-sets.ts";

const newest = versionNamed("2025-07-25");
const role = (operatorName: string, roleDefinitionId: string, account = operatorName) => ({
  operatorName,
  roleDefinitionName: operatorName,
  roleDefinitionId,
  serviceAccounts: [`system:serviceaccount:a:${account}`],
  secretLocation: { namespace: "a", name: operatorName },
});
const roleSets = [
  {
    openShiftVersion: "4.17",
    platformWorkloadIdentityRoles: [role("machine-api", "/ROLES/m"), role("ingress", "/roles/i2", "other")],
  },
  {
    openShiftVersion: "4.16",
    platformWorkloadIdentityRoles: [role("machine-api", "/roles/m"), role("ingress", "/roles/i")],
  },
];

function rolesOf(upgradeableTo?: string, sets = roleSets) {
  const cluster = installedCluster(newest, identityBody(newest));
  const { platformWorkloadIdentityProfile: profile, ...properties } = cluster.properties;
  const changed = {
    ...cluster,
    properties: {
      ...properties,
      platformWorkloadIdentityProfile: { ...profile, ...(upgradeableTo ? { upgradeableTo } : {}) },
    },
  };
  return [...platformIdentityRoles(changed, sets)].map(([name, roles]) => [
    name,
    roles.map(({ roleDefinitionId }) => roleDefinitionId),
  ]);
}

for (const [title, upgradeableTo, expected] of [
  [
    "of its own minor version",
    undefined,
    [
      ["machine-api", ["/roles/m"]],
      ["ingress", ["/roles/i"]],
    ],
  ],
  [
    "of the one that it can be upgraded to as well, each once",
    "4.17.3",
    [
      ["machine-api", ["/roles/m"]],
      ["ingress", ["/roles/i", "/roles/i2"]],
    ],
  ],
  [
    "of its own alone when the other is older",
    "4.15.3",
    [
      ["machine-api", ["/roles/m"]],
      ["ingress", ["/roles/i"]],
    ],
  ],
] as const) {
  test(`an operator has the roles ${title}`, () => assert.deepEqual(rolesOf(upgradeableTo), expected));
}

test("a role set with a later added operator is rejected", () => {
  const more = roleSets.map((set) => ({
    ...set,
    platformWorkloadIdentityRoles: [...set.platformWorkloadIdentityRoles, role("new", "/roles/n")],
  }));
  assert.throws(
    () => rolesOf(undefined, more),
    (error) =>
      error instanceof CloudError &&
      error.body.code === "PlatformWorkloadIdentityMismatch" &&
      error.message.endsWith("'[ingress machine-api new]'"),
  );
});
