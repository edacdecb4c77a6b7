import { isIP, isIPv4 } from "node:net";
import { enumeration, invalid, type Rule, rule, textRule } from "./rule.ts";
import { isUrlReference } from "./url-reference.ts";

const apiserver = "properties.apiserverProfile";
const ingresses = "properties.ingressProfiles";

export const apiserverRules: readonly Rule[] = [
  visibilityRule(`${apiserver}.visibility`),
  textRule(`${apiserver}.url`, (url, target) =>
    isUrlReference(url) ? undefined : invalid(target, `The provided URL '${url}' is invalid.`),
  ),
  ipRule(`${apiserver}.ip`),
];

export const ingressRules: readonly Rule[] = [
  rule(ingresses, function* ({ cluster }) {
    if (cluster.properties.ingressProfiles?.length === 1) return;
    yield invalid(ingresses, "There should be exactly one ingress profile.");
  }),
  textRule(`${ingresses}[].name`, (name, target) =>
    name === "default" ? undefined : invalid(target, `The provided ingress name '${name}' is invalid.`),
  ),
  visibilityRule(`${ingresses}[].visibility`),
  ipRule(`${ingresses}[].ip`),
];

function visibilityRule(field: string): Rule {
  return enumeration(field, (visibility) => `The provided visibility '${visibility}' is invalid.`);
}

function ipRule(field: string): Rule {
  return textRule(field, (ip, target) => {
    if (ip === "" || isIPv4(ip)) return undefined;
    const subject = `The provided IP '${ip}' is invalid`;
    return invalid(target, isIP(ip) === 6 ? `${subject}: must be IPv4.` : `${subject}.`);
  });
}
