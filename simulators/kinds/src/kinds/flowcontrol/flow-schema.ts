import { conditionOf, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, valueAt } from "@keelson/base";
import { dnsSubdomain, required, requiredBecause } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { dnsLabel } from "../../catalogue/names.ts";
import type { Check, FieldChecks } from "../../catalogue/type-facts.ts";
import { ageColumn, count, declared, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

const subjectMembers: Readonly<Record<string, string>> = {
  ServiceAccount: "serviceAccount",
  User: "user",
  Group: "group",
};
const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

/**
 * Built-in kind FlowSchema. Source of its rules: kubernetes pkg/apis/flowcontrol/v1/defaults.go and
 * pkg/apis/flowcontrol/validation/validation.go.
 */
export const flowSchema: Kind = {
  group: "flowcontrol.apiserver.k8s.io",
  versions: ["v1"],
  kind: "FlowSchema",
  plural: "flowschemas",
  namespaced: false,
  subresources: { status: {} },
  strategy: { generation: {}, keptWithStatus: "metadata" },
  columns: [
    nameColumn,
    textOf("PriorityLevel", "spec.priorityLevelConfiguration.name"),
    declared("string", count("MatchingPrecedence", "spec.matchingPrecedence")),
    textOf("DistinguisherMethod", "spec.distinguisherMethod.type", "<none>"),
    ageColumn,
    text("MissingPL", (schema) => scalarStringAt(conditionOf(schema, "Dangling"), "status") || "?"),
  ],
  types: {
    defaults: `
flowcontrol.v1.FlowSchema status={}
flowcontrol.v1.FlowSchemaSpec matchingPrecedence:=1000
`,
    checks: {
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
    mergeKeys: `
flowcontrol.v1.FlowSchemaStatus conditions=type
`,
    ownership: `
flowcontrol.v1.ResourcePolicyRule verbs= apiGroups= resources= namespaces=
flowcontrol.v1.NonResourcePolicyRule verbs= nonResourceURLs=
flowcontrol.v1.FlowSchemaStatus conditions=type
`,
    protobuf: `
flowcontrol.v1.FlowDistinguisherMethod type=1*
flowcontrol.v1.FlowSchema metadata=1 spec=2 status=3
flowcontrol.v1.FlowSchemaCondition type=1 status=2 lastTransitionTime=3 reason=4 message=5
flowcontrol.v1.FlowSchemaSpec priorityLevelConfiguration=1 matchingPrecedence=2* distinguisherMethod=3 rules=4
flowcontrol.v1.FlowSchemaStatus conditions=1
flowcontrol.v1.GroupSubject name=1*
flowcontrol.v1.NonResourcePolicyRule verbs=1 nonResourceURLs=6
flowcontrol.v1.PolicyRulesWithSubjects subjects=1 resourceRules=2 nonResourceRules=3
flowcontrol.v1.PriorityLevelConfigurationReference name=1*
flowcontrol.v1.ResourcePolicyRule verbs=1 apiGroups=2 resources=3 clusterScope=4 namespaces=5
flowcontrol.v1.ServiceAccountSubject namespace=1* name=2*
flowcontrol.v1.Subject kind=1* user=2 group=3 serviceAccount=4
flowcontrol.v1.UserSubject name=1*
`,
  },
};

function precedenceByName(schema: unknown, findings: Findings): void {
  const value = valueAt(schema, "spec", "matchingPrecedence");
  if (value === 1 && scalarStringAt(schema, "metadata", "name") !== "exempt") {
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
  const type = scalarStringAt(value, "type");
  // kube-apiserver prints its internal Go struct in this message.
  if (isPlainObject(value) && type !== "ByUser" && type !== "ByNamespace")
    findings.notSupported({ Type: type }, ["ByNamespace", "ByUser"], "type");
}

function levelName(spec: unknown, findings: Findings): void {
  if (scalarStringAt(spec, "priorityLevelConfiguration", "name") === "")
    findings.required("must reference a priority level", "priorityLevelConfiguration", "name");
}

function someRule(rule: unknown, findings: Findings): void {
  const lists = [valueAt(rule, "resourceRules"), valueAt(rule, "nonResourceRules")];
  if (lists.every((list) => !Array.isArray(list) || list.length === 0))
    findings.required("at least one of resourceRules and nonResourceRules has to be non-empty");
}

function subjectOfItsKind(subject: unknown, findings: Findings): void {
  const kind = scalarStringAt(subject, "kind");
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
