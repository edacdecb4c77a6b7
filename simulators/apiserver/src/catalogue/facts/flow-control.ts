import { isPlainObject } from "@keelson/base";
import { textAt, valueAt } from "../../json/access.ts";
import { atLeast, between, dnsSubdomain, oneOf, required, requiredBecause } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { dnsLabel } from "../names.ts";
import type { Check, FieldChecks, GroupFacts } from "./group-facts.ts";

const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const mustBePositive = atLeast(1, "must be positive");
const maxQueues = 10_000_000;
/** Of the hash of a flow, from which its hand of queues is dealt. */
const maxEntropyBits = 60;

/** API priority and fairness. Facts: kubernetes pkg/apis/flowcontrol, v1/defaults.go and validation/validation.go. */
export const flowControlFacts: GroupFacts = {
  defaults: `
flowcontrol.v1.FlowSchema status={}
flowcontrol.v1.FlowSchemaSpec matchingPrecedence:=1000
flowcontrol.v1.PriorityLevelConfiguration status={}
flowcontrol.v1.ExemptPriorityLevelConfiguration nominalConcurrencyShares=0 lendablePercent=0
flowcontrol.v1.LimitedPriorityLevelConfiguration nominalConcurrencyShares=30 lendablePercent=0
flowcontrol.v1.QueuingConfiguration handSize:=8 queues:=64 queueLengthLimit:=50
`,
  checks: {
    "flowcontrol.v1.PriorityLevelConfiguration": [["", exemptByName]],
    "flowcontrol.v1.PriorityLevelConfigurationSpec": [
      ["type", required, oneOf("Exempt", "Limited")],
      ["", onlyOfItsType],
    ],
    "flowcontrol.v1.ExemptPriorityLevelConfiguration": [
      ["nominalConcurrencyShares", atLeast(0, "must be a non-negative integer")],
      ["lendablePercent", between(0, 100)],
    ],
    "flowcontrol.v1.LimitedPriorityLevelConfiguration": [
      ["nominalConcurrencyShares", atLeast(0, "must be a non-negative integer")],
      ["limitResponse"],
      ["lendablePercent", between(0, 100)],
      ["borrowingLimitPercent", atLeast(0, "if specified, must be a non-negative integer")],
    ],
    "flowcontrol.v1.LimitResponse": [
      ["type", oneOf("Queue", "Reject")],
      ["", queuingIfQueued],
    ],
    "flowcontrol.v1.QueuingConfiguration": [
      ["queueLengthLimit", mustBePositive],
      ["queues", mustBePositive, notMoreQueues],
      ["handSize", mustBePositive],
      ["", handOfQueues],
    ],
    "flowcontrol.v1.FlowSchema": [["", precedenceByName]],
    "flowcontrol.v1.FlowSchemaSpec": [
      ["matchingPrecedence", precedence],
      ["distinguisherMethod", distinguisher],
      ["", levelName],
      ["priorityLevelConfiguration"],
      ["rules"],
    ],
    "flowcontrol.v1.PriorityLevelConfigurationReference": [["name", dnsSubdomain]],
    "flowcontrol.v1.PolicyRulesWithSubjects": [
      ["subjects", requiredBecause("subjects must contain at least one value")],
      ["", someRule],
      ["resourceRules"],
      ["nonResourceRules"],
    ],
    "flowcontrol.v1.Subject": [["", subjectOfItsKind]],
    "flowcontrol.v1.ServiceAccountSubject": serviceAccount(),
    "flowcontrol.v1.UserSubject": [["name", required]],
    "flowcontrol.v1.GroupSubject": [["name", required]],
    "flowcontrol.v1.ResourcePolicyRule": [
      ["verbs", knownVerbs],
      [
        "apiGroups",
        requiredBecause("resource rules must supply at least one api group"),
        aloneIfAll("api groups"),
      ],
      [
        "resources",
        requiredBecause("resource rules must supply at least one resource"),
        aloneIfAll("resources"),
      ],
      ["", namespaces],
    ],
    "flowcontrol.v1.NonResourcePolicyRule": [
      ["verbs", knownVerbs],
      ["nonResourceURLs", requiredBecause("nonResourceURLs must contain at least one value"), urls],
    ],
  },
};

function exemptByName(level: unknown, findings: Findings): void {
  const type = textAt(level, "spec", "type");
  const isExempt = textAt(level, "metadata", "name") === "exempt";
  const isKnown = type === "Exempt" || type === "Limited";
  if (isKnown && isExempt !== (type === "Exempt"))
    findings.invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'", "spec", "type");
}

function onlyOfItsType(spec: unknown, findings: Findings): void {
  const type = textAt(spec, "type");
  const [exempt, limited] = [valueAt(spec, "exempt"), valueAt(spec, "limited")];
  if (type === "Exempt" && limited !== undefined)
    findings.forbidden("must be nil if the type is not Limited", "limited");
  if (type !== "Limited") return;
  if (exempt !== undefined) findings.forbidden("must be nil if the type is Limited", "exempt");
  if (limited === undefined) findings.required("must not be empty when type is Limited", "limited");
  else if (textAt(limited, "limitResponse", "type") === "")
    findings.required("", "limited", "limitResponse", "type");
}

function queuingIfQueued(response: unknown, findings: Findings): void {
  const hasQueuing = valueAt(response, "queuing") !== undefined;
  const type = textAt(response, "type");
  if (type === "Queue" && !hasQueuing)
    findings.required("must not be empty if limited.limitResponse.type is Limited", "queuing");
  if (type === "Reject" && hasQueuing)
    findings.forbidden("must be nil if limited.limitResponse.type is not Limited", "queuing");
}

function notMoreQueues(value: unknown, findings: Findings): void {
  if (typeof value === "number" && value > maxQueues)
    findings.invalid(value, `must not be greater than ${maxQueues}`);
}

function handOfQueues(queuing: unknown, findings: Findings): void {
  const [queues, hand] = [valueAt(queuing, "queues"), valueAt(queuing, "handSize")];
  if (typeof queues !== "number" || typeof hand !== "number" || queues < 1 || hand < 1) return;
  if (hand > queues) findings.invalid(hand, `should not be greater than queues (${queues})`, "handSize");
  else if (Math.ceil(Math.log2(queues) * hand) > maxEntropyBits) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than`;
    findings.invalid(hand, `${why} ${maxEntropyBits}`, "handSize");
  }
}

function precedenceByName(schema: unknown, findings: Findings): void {
  const value = valueAt(schema, "spec", "matchingPrecedence");
  if (value === 1 && textAt(schema, "metadata", "name") !== "exempt") {
    const why = "only the schema named 'exempt' may have matchingPrecedence 1";
    findings.invalid(value, why, "spec", "matchingPrecedence");
  }
}

function precedence(value: unknown, findings: Findings): void {
  if (typeof value !== "number") return;
  if (value <= 0) findings.invalid(value, "must be a positive value");
  if (value > 10_000) findings.invalid(value, "must not be greater than 10000");
}

function distinguisher(value: unknown, findings: Findings): void {
  const type = textAt(value, "type");
  // The server prints its own struct here.
  if (isPlainObject(value) && type !== "ByUser" && type !== "ByNamespace")
    findings.notSupported({ Type: type }, ["ByNamespace", "ByUser"], "type");
}

function levelName(spec: unknown, findings: Findings): void {
  if (textAt(spec, "priorityLevelConfiguration", "name") === "")
    findings.required("must reference a priority level", "priorityLevelConfiguration", "name");
}

function someRule(rule: unknown, findings: Findings): void {
  const lists = [valueAt(rule, "resourceRules"), valueAt(rule, "nonResourceRules")];
  if (lists.every((list) => !Array.isArray(list) || list.length === 0))
    findings.required("at least one of resourceRules and nonResourceRules has to be non-empty");
}

const subjectMembers: Readonly<Record<string, string>> = {
  ServiceAccount: "serviceAccount",
  User: "user",
  Group: "group",
};

function subjectOfItsKind(subject: unknown, findings: Findings): void {
  const kind = textAt(subject, "kind");
  if (!Object.hasOwn(subjectMembers, kind)) {
    findings.notSupported(kind, ["Group", "ServiceAccount", "User"], "kind");
    return;
  }
  for (const [other, member] of Object.entries(subjectMembers)) {
    const isThere = valueAt(subject, member) !== undefined;
    if (other === kind && !isThere)
      findings.required(`${member} is required when subject kind is '${kind}'`, member);
    if (other !== kind && isThere)
      findings.forbidden(`${member} is forbidden when subject kind is not '${other}'`, member);
  }
}

function serviceAccount(): readonly FieldChecks[] {
  const label: Check = (value, findings) => {
    const why = typeof value === "string" && value !== "" ? dnsLabel(value) : undefined;
    if (why) findings.invalid(value, why);
  };
  const name: Check = (value, findings) => {
    if (value !== "*") dnsSubdomain(value, findings);
  };
  return [
    ["name", required, name],
    ["namespace", requiredBecause("must specify namespace for service account"), label],
  ];
}

function knownVerbs(value: unknown, findings: Findings): void {
  if (!Array.isArray(value) || value.length === 0) findings.required("verbs must contain at least one value");
  else if (value.includes("*")) aloneIfAll("verbs")(value, findings);
  else if (!value.every((verb) => verbs.includes(String(verb)))) findings.notSupported(value, verbs);
}

function aloneIfAll(what: string): Check {
  return (value, findings) => {
    if (Array.isArray(value) && value.length > 1 && value.includes("*"))
      findings.invalid(value, `if '*' is present, must not specify other ${what}`);
  };
}

function namespaces(rule: unknown, findings: Findings): void {
  const value = valueAt(rule, "namespaces");
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (list.length === 0 && valueAt(rule, "clusterScope") !== true) {
    const why = "resource rules that are not cluster scoped must supply at least one namespace";
    findings.required(why, "namespaces");
  }
  if (list.includes("*")) {
    if (list.length > 1)
      findings.invalid(list, "if '*' is present, must not specify other namespaces", "namespaces");
    return;
  }
  for (const [at, each] of list.entries()) {
    const why = typeof each === "string" ? dnsLabel(each) : undefined;
    if (!why) continue;
    findings.invalid(
      each,
      `each member of this list must be '*' or a DNS-1123 label; ${why}`,
      "namespaces",
      at,
    );
  }
}

function urls(value: unknown, findings: Findings): void {
  if (!Array.isArray(value)) return;
  if (value.includes("*")) {
    aloneIfAll("non-resource URLs")(value, findings);
    return;
  }
  for (const [at, url] of value.entries()) {
    const why = wrongUrl(String(url));
    if (why) findings.invalid(url, why, at);
  }
}

function wrongUrl(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (/[ \t\n]/.test(url)) return "must not contain white-space";
  if (!url.startsWith("/")) return "must start with slash";
  const star = url.indexOf("*");
  const isSuffix = star === url.length - 1 && url.endsWith("/*");
  return star >= 0 && !isSuffix ? "wildcard can only do suffix matching" : undefined;
}
