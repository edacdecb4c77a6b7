import { onlyFirst, onlyLater, type RuleRow, testRules } from "../testing/rule-table.ts";

const apiserver = "properties.apiserverProfile";
const ingress = "properties.ingressProfiles['default']";

function apiserverRow(title: string, member: string, value: string, message: string): RuleRow {
  const wrong = { properties: { apiserverProfile: { [member]: value } } };
  return { title: `${title} of the API server`, wrong, target: `${apiserver}.${member}`, message };
}

/**
 * Returns the test rows for ingress. The first version validates ingress at creation and on updates. Later versions validate it
 * only at creation.
 */
function ingressRows(title: string, member: string, value: string, message: string): RuleRow[] {
  const row = {
    title: `${title} of the ingress`,
    wrong: { properties: { ingressProfiles: [{ [member]: value }] } },
    target: `${ingress}.${member}`,
    message,
  };
  return [
    { ...row, ...onlyFirst },
    { ...row, ...onlyLater, when: "create" },
  ];
}

const noIngress = {
  title: "no ingress profile",
  wrong: { properties: { ingressProfiles: [] } },
  target: "properties.ingressProfiles",
  message: "There should be exactly one ingress profile.",
};
const otherName = {
  title: "a wrong ingress name",
  wrong: { properties: { ingressProfiles: [{ name: "other" }] } },
  target: "properties.ingressProfiles['other'].name",
  message: "The provided ingress name 'other' is invalid.",
};

testRules([
  apiserverRow("no visibility", "visibility", "", "The provided visibility '' is invalid."),
  apiserverRow(
    "an unknown visibility",
    "visibility",
    "public",
    "The provided visibility 'public' is invalid.",
  ),
  apiserverRow("a bad URL", "url", ":", "The provided URL ':' is invalid."),
  apiserverRow("a bad address", "ip", "10.0.0", "The provided IP '10.0.0' is invalid."),
  apiserverRow("an IPv6 address", "ip", "::1", "The provided IP '::1' is invalid: must be IPv4."),
  { ...noIngress, ...onlyFirst },
  { ...noIngress, ...onlyLater, when: "create" },
  { ...otherName, ...onlyFirst },
  { ...otherName, ...onlyLater, when: "create" },
  ...ingressRows("an unknown visibility", "visibility", "x", "The provided visibility 'x' is invalid."),
  ...ingressRows("a bad address", "ip", "x", "The provided IP 'x' is invalid."),
  ...ingressRows("an IPv6 address", "ip", "::1", "The provided IP '::1' is invalid: must be IPv4."),
]);
