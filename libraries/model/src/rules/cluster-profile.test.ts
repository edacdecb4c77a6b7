import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, onlyFirst, onlyLater, type RuleRow, testRules } from "../testing/rule-table.ts";
import {
  resourceGroupId,
  subscriptionId,
  testRequest,
  validBody,
  versionNamed,
} from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";

const profile = "properties.clusterProfile";
const otherGroup = "/subscriptions/11111111-0000-4000-8000-000000000001/resourceGroups/aro";

function profileRow(title: string, member: string, value: string, message: string): RuleRow {
  const wrong = { properties: { clusterProfile: { [member]: value } } };
  return { title, wrong, target: `${profile}.${member}`, message };
}

function domainRow(title: string, domain: string): RuleRow {
  return profileRow(title, "domain", domain, `The provided domain '${domain}' is invalid.`);
}

testRules([
  {
    title: "an unknown provisioning state",
    wrong: { properties: { provisioningState: "Sleeping" } },
    target: "properties.provisioningState",
    message: "The provided provisioning state 'Sleeping' is invalid.",
  },
  {
    title: "a state of later versions",
    wrong: { properties: { provisioningState: "Canceled" } },
    target: "properties.provisioningState",
    message: "The provided provisioning state 'Canceled' is invalid.",
    ...onlyFirst,
  },
  profileRow("a pull secret that is no JSON", "pullSecret", "{", "The provided pull secret is invalid."),
  profileRow("a pull secret that is a list", "pullSecret", "[]", "The provided pull secret is invalid."),
  profileRow(
    "a pull secret with a string as registry",
    "pullSecret",
    '{"auths":{"registry":"x"}}',
    "The provided pull secret is invalid.",
  ),
  domainRow("an upper-case domain", "Cluster"),
  domainRow("an empty domain label", "a..example.com"),
  { ...domainRow("a new domain that starts with a digit", "1cluster"), when: "create" },
  { ...domainRow("a new domain of one letter", "c"), when: "create" },
  domainRow("a domain in a different region of the service", "cluster.westus.aroapp.io"),
  domainRow("a domain below a cluster of the service", "a.b.eastus.aroapp.io"),
  profileRow(
    "a resource group that is no ID",
    "resourceGroupId",
    "aro-cluster",
    "The provided resource group 'aro-cluster' is invalid.",
  ),
  profileRow(
    "a resource group in a different subscription",
    "resourceGroupId",
    otherGroup,
    `The provided resource group '${otherGroup}' is invalid: must be in same subscription as cluster.`,
  ),
  profileRow(
    "the cluster's own resource group",
    "resourceGroupId",
    resourceGroupId.toUpperCase().replace("/SUBSCRIPTIONS/", "/subscriptions/"),
    `The provided resource group '${resourceGroupId.toUpperCase().replace("/SUBSCRIPTIONS/", "/subscriptions/")}' is invalid: must be different from resourceGroup of the OpenShift cluster object.`,
  ),
  {
    ...profileRow(
      "an unknown FIPS mode",
      "fipsValidatedModules",
      "on",
      "The provided value 'on' is invalid.",
    ),
    ...onlyLater,
  },
  {
    ...profileRow("no FIPS mode", "fipsValidatedModules", "", "The provided value '' is invalid."),
    ...onlyLater,
  },
  {
    title: "an invalid console URL",
    wrong: { properties: { consoleProfile: { url: "\u0000" } } },
    target: "properties.consoleProfile.url",
    message: "The provided console URL '\u0000' is invalid.",
  },
]);

for (const [title, clusterProfile] of [
  ["a custom domain", { domain: "cluster.example.com" }],
  ["a domain under the region's", { domain: "cluster.eastus.aroapp.io" }],
  ["a pull secret that is null", { pullSecret: "null" }],
  ["no pull secret", { pullSecret: "" }],
  [
    "a resource group in upper case",
    { resourceGroupId: `/SUBSCRIPTIONS/${subscriptionId.toUpperCase()}/RESOURCEGROUPS/ARO` },
  ],
] as const) {
  test(`a new cluster may have ${title}`, () => {
    const version = versionNamed("2025-07-25");
    const body = merged(validBody(version), { properties: { clusterProfile } });
    assert.doesNotThrow(() => applyClusterRequest(testRequest({ version, body })));
  });
}
