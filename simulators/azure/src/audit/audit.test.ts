import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adminToken,
  clientId,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
} from "../testing/test-azure.ts";
import { audit } from "./audit.ts";
import { type AuditedCluster, auditedCluster } from "./audited-cluster.ts";
import type { Inventory } from "./inventory.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const groupOf = (name: string) => `${subscription}/resourceGroups/${name}`;
const clusterIdOf = (name: string) =>
  `${groupOf("customers")}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`;

function clusterOf(name: string, properties: object = {}): AuditedCluster {
  return auditedCluster(
    {
      id: clusterIdOf(name),
      properties: {
        provisioningState: "Succeeded",
        clusterProfile: {
          resourceGroupId: groupOf(`aro-${name}`).toLowerCase(),
          domain: name,
          oidcIssuer: `https://oidc/${name}`,
        },
        ...properties,
      },
    },
    `key-${name}`,
  );
}

const resource = (id: string, properties = {}) => {
  const [namespace = "", ...rest] = id.slice(id.lastIndexOf("/providers/") + 11).split("/");
  const type = [namespace, ...rest.filter((_, index) => index % 2 === 0)].join("/");
  return { id, name: id.split("/").at(-1) ?? "", type, properties };
};
const zone = `${groupOf("service")}/providers/Microsoft.Network/dnsZones/example.com`;
const records = (name: string, owner = name) =>
  [`api.${name}`, `*.apps.${name}`].map((each) =>
    resource(`${zone}/A/${each}`, { metadata: { resourceId: clusterIdOf(owner) } }),
  );
const inGroup = (name: string, path: string, properties = {}) =>
  resource(`${groupOf(`aro-${name}`)}/providers/${path}`, properties);

/** Returns an inventory with all resources of a complete cluster. */
function worldOf(name: string): Inventory {
  const masters = [0, 1, 2].map((index) =>
    inGroup(name, `Microsoft.Compute/virtualMachines/${name}-x-master-${index}`),
  );
  return {
    groups: [
      { id: groupOf(`aro-${name}`), name: `aro-${name}`, managedBy: clusterIdOf(name), state: "Succeeded" },
    ],
    resources: [
      resource(zone),
      ...records(name),
      ...masters,
      inGroup(name, `Microsoft.Network/loadBalancers/${name}-x-internal`),
      inGroup(name, `Microsoft.Network/networkSecurityGroups/${name}-x-nsg`),
      resource(`${groupOf("service")}/providers/Microsoft.Network/privateEndpoints/rp-pe-key-${name}`),
      resource(
        `${groupOf("customers")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i/federatedIdentityCredentials/c`,
        { issuer: `https://oidc/${name}`, audiences: ["openshift"] },
      ),
      inGroup(name, "Microsoft.Authorization/roleAssignments/a", { principalId: "P1" }),
      inGroup(name, "Microsoft.Authorization/roleDefinitions/r", {
        roleName: `Azure Red Hat OpenShift cluster ${name}`,
        assignableScopes: [groupOf(`aro-${name}`)],
      }),
    ],
    principalIds: ["p1"],
    applications: [{ clientId: "app", displayName: "aro-12345678" }],
  };
}

const kindsIn = (inventory: Inventory, clusters: readonly AuditedCluster[]) =>
  audit(inventory, clusters).map(({ kind }) => kind);
const usesApp = { servicePrincipalProfile: { clientId: "APP" } };

test("a complete cluster produces no finding", () => {
  assert.deepEqual(audit(worldOf("one"), [clusterOf("one", usesApp)]), []);
});

test("all that a cluster leaves behind is found, with its ID", () => {
  const findings = audit(worldOf("gone"), []);
  assert.deepEqual(findings.map(({ kind }) => kind).sort(), [
    "orphaned-application",
    "orphaned-dns-record",
    "orphaned-dns-record",
    "orphaned-federated-credential",
    "orphaned-group",
    "orphaned-resource",
  ]);
  assert.equal(findings.find(({ kind }) => kind === "orphaned-group")?.id, groupOf("aro-gone"));
});

const losses: readonly (readonly [
  what: string,
  lost: (inventory: Inventory) => Inventory,
  kinds: readonly string[],
])[] = [
  ["its group", (all) => ({ ...all, groups: [] }), ["orphaned-role-definition", "missing-group"]],
  ["a master", (all) => without(all, /master-2$/), ["missing-resource"]],
  ["its load balancers", (all) => without(all, /loadBalancers/), ["missing-resource"]],
  ["a record", (all) => without(all, /A\/api/), ["missing-dns-record"]],
  ["its application", (all) => ({ ...all, applications: [] }), ["missing-application"]],
  [
    "the principal of a role assignment",
    (all) => ({ ...all, principalIds: [] }),
    ["orphaned-role-assignment"],
  ],
];
for (const [what, lost, kinds] of losses)
  test(`a cluster without ${what} produces a finding`, () => {
    assert.deepEqual(kindsIn(lost(worldOf("one")), [clusterOf("one", usesApp)]), kinds);
  });

test("leftover, failed and foreign resources produce findings", () => {
  const all = worldOf("one");
  const extra = [
    inGroup("one", "Microsoft.Compute/virtualMachines/one-x-bootstrap"),
    inGroup("one", "Microsoft.Network/routeTables/t", { provisioningState: "Failed" }),
  ];
  const found = audit({ ...all, resources: [...all.resources, ...extra] }, [clusterOf("one", usesApp)]);
  assert.deepEqual(
    found.map(({ kind, id }) => [kind, id]),
    [
      ["orphaned-resource", extra[0]?.id],
      ["failed-resource", extra[1]?.id],
    ],
  );
});

const states: readonly (readonly [properties: object, isSettled: boolean])[] = [
  [{ provisioningState: "Creating" }, false],
  [{ provisioningState: "Deleting" }, false],
  [{ provisioningState: "Failed", failedProvisioningState: "Creating" }, false],
  [{ provisioningState: "Failed", failedProvisioningState: "Updating" }, true],
  [{ provisioningState: "Failed", failedProvisioningState: "AdminUpdating" }, true],
];
for (const [properties, isSettled] of states)
  test(`${JSON.stringify(properties)} ${isSettled ? "must have" : "may lack"} everything, and its resources belong to it`, () => {
    const cluster = clusterOf("one", { ...usesApp, ...properties });
    assert.deepEqual(audit(worldOf("one"), [cluster]), []);
    const lacking = without(worldOf("one"), /master/);
    assert.deepEqual(kindsIn(lacking, [cluster]), isSettled ? ["missing-resource"] : []);
  });

function without(all: Inventory, pattern: RegExp): Inventory {
  return { ...all, resources: all.resources.filter(({ id }) => !pattern.test(id)) };
}

test("administrators can read the inventory of a subscription for an audit", async () => {
  await using azure: TestAzure = await startTestAzure();
  const managed = groupOf("aro-left");
  await azure.arm("PUT", `${managed}?api-version=2021-04-01`, { location, managedBy: clusterIdOf("left") });
  const raw = await azure.raw("/sim/inventory", {
    headers: { authorization: `Bearer ${adminToken.reveal()}` },
  });
  const inventory: Inventory = JSON.parse(raw.text);
  assert.deepEqual(JSON.parse(JSON.stringify(azure.inventory())), inventory);
  assert.ok(inventory.applications.some((each) => each.clientId === clientId));
  assert.deepEqual(
    audit(inventory, []).map(({ kind, id }) => [kind, id]),
    [["orphaned-group", managed]],
  );
  assert.equal((await azure.raw("/sim/inventory")).status, 401);
});
