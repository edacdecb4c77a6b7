import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlannedRequest } from "../output/planned-requests.ts";
import { plannedApis } from "./azure-calls.ts";
import { registerClusterApplication } from "./cluster-application.ts";
import { createIdentities } from "./cluster-identities.ts";
import { clusterRequest } from "./cluster-request.ts";

const endpoints = { arm: "https://arm", graph: "https://graph" };
const cluster = { name: "demo", resourceGroup: "group" };

test("a preview lists the requests that create managed identities and their roles", async () => {
  const planned: PlannedRequest[] = [];
  const roles = [{ operatorName: "ingress", roleDefinitionId: "/providers/x/roleDefinitions/r1" }];
  const options = { apis: plannedApis(endpoints, planned), subscriptionId: "s", roles };
  const identities = await createIdentities(cluster, options);
  const group = "/subscriptions/s/resourceGroups/group";
  const directory = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  assert.deepEqual(identities, {
    cluster: `${directory}/demo-cluster`,
    operators: { ingress: `${directory}/demo-ingress` },
  });
  const urls = planned.map(
    ({ method, url }) =>
      `${method} ${url.replace(/roleAssignments\/[-0-9a-f]{36}\?/, "roleAssignments/ID?")}`,
  );
  assert.deepEqual(urls.slice(0, 2), [
    `PUT https://arm${directory}/demo-cluster?api-version=2023-01-31`,
    `PUT https://arm${directory}/demo-ingress?api-version=2023-01-31`,
  ]);
  assert.match(
    urls[2] ?? "",
    /virtualNetworks\/vnet\/providers\/Microsoft\.Authorization\/roleAssignments\/ID\?/,
  );
  assert.match(urls[3] ?? "", /demo-ingress\/providers\/Microsoft\.Authorization\/roleAssignments\/ID\?/);
});

test("repeated role assignments have the same name, so that a second attempt changes nothing", async () => {
  const roles = [{ operatorName: "ingress", roleDefinitionId: "/providers/x/roleDefinitions/r1" }];
  const [first, second] = await Promise.all(
    [1, 2].map(async () => {
      const planned: PlannedRequest[] = [];
      await createIdentities(cluster, { apis: plannedApis(endpoints, planned), subscriptionId: "s", roles });
      return planned.map(({ url }) => url);
    }),
  );
  assert.deepEqual(first, second);
});

test("a preview contains no secret of the application", async () => {
  const planned: PlannedRequest[] = [];
  const apis = plannedApis(endpoints, planned);
  const servicePrincipal = await registerClusterApplication({ apis, subscriptionId: "s", displayName: "d" });
  assert.deepEqual(
    planned.map(({ method, url }) => `${method} ${url}`),
    [
      "POST https://graph/v1.0/applications",
      "POST https://graph/v1.0/applications/(returned by an earlier request)/addPassword",
      "POST https://graph/v1.0/servicePrincipals",
    ],
  );
  const { properties } = Object(clusterRequest(cluster, "s", { servicePrincipal }));
  assert.equal(properties.servicePrincipalProfile.clientSecret, "(returned by an earlier request)");
});

test("settings of a new cluster replace the defaults of its request", () => {
  const identities = { cluster: "/c", operators: { ingress: "/i" } };
  const body = Object(
    clusterRequest(
      cluster,
      "s",
      { identities },
      { version: "4.18.26", workerCount: 5, ingressVisibility: "Private" },
    ),
  );
  assert.deepEqual(body.identity, { type: "UserAssigned", userAssignedIdentities: { "/c": {} } });
  const { clusterProfile, workerProfiles, apiserverProfile, ingressProfiles, servicePrincipalProfile } =
    body.properties;
  assert.equal(clusterProfile.version, "4.18.26");
  assert.equal(workerProfiles[0].count, 5);
  assert.deepEqual([apiserverProfile.visibility, ingressProfiles[0].visibility], ["Public", "Private"]);
  assert.equal(servicePrincipalProfile, undefined);
});
