import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
import { parseCidr, within } from "@keelson/cel";
import { network } from "../../catalogue/addresses.ts";
import { eachOneOf, oneOf, portOrName } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { ageColumn, nameColumn, text } from "../../columns/column.ts";
import { selectorText } from "../../columns/label-text.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind NetworkPolicy. Source of its rules: kubernetes pkg/apis/networking/v1/defaults.go and
 * pkg/apis/networking/validation/validation.go.
 */
export const networkPolicy: Kind = {
  group: "networking.k8s.io",
  versions: ["v1"],
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  shortNames: ["netpol"],
  namespaced: true,
  strategy: { generation: {} },
  columns: [
    nameColumn,
    text("Pod-Selector", (policy) => selectorText(valueAt(policy, "spec", "podSelector"))),
    ageColumn,
  ],
  types: {
    defaults: `
networking.v1.NetworkPolicyPort protocol="TCP"
networking.v1.NetworkPolicySpec podSelector={}
`,
    derived: {
      "networking.v1.NetworkPolicySpec": (spec) =>
        listAt(spec, "policyTypes").length > 0
          ? spec
          : { ...spec, policyTypes: ["Ingress", ...(listAt(spec, "egress").length > 0 ? ["Egress"] : [])] },
    },
    checks: {
      "networking.v1.NetworkPolicySpec": [
        ["podSelector"],
        ["ingress"],
        ["egress"],
        ["policyTypes", policyTypes],
      ],
      "networking.v1.NetworkPolicyPort": [
        ["protocol", oneOf("TCP", "UDP", "SCTP")],
        ["port", portOrName],
        ["", portRange],
      ],
      "networking.v1.NetworkPolicyPeer": [
        [
          "",
          (peer, findings) => {
            const block = valueAt(peer, "ipBlock");
            const selectors = ["podSelector", "namespaceSelector"].filter(
              (name) => valueAt(peer, name) !== undefined,
            );
            if (block === undefined && selectors.length === 0) findings.required("must specify a peer");
            if (block !== undefined && selectors.length > 0)
              findings.forbidden("may not specify both ipBlock and another peer");
          },
        ],
      ],
      "networking.v1.IPBlock": [["", ipBlock]],
    },
    protobuf: `
networking.v1.IPBlock cidr=1* except=2
networking.v1.NetworkPolicy metadata=1 spec=2
networking.v1.NetworkPolicyEgressRule ports=1 to=2
networking.v1.NetworkPolicyIngressRule ports=1 from=2
networking.v1.NetworkPolicyPeer podSelector=1 namespaceSelector=2 ipBlock=3
networking.v1.NetworkPolicyPort protocol=1* port=2* endPort=3*
networking.v1.NetworkPolicySpec podSelector=1 ingress=2 egress=3 policyTypes=4
`,
    enums: `
networking.v1.NetworkPolicyPort.protocol SCTP|TCP|UDP
networking.v1.NetworkPolicySpec.policyTypes Egress|Ingress
`,
  },
};

function policyTypes(value: unknown, findings: Findings): void {
  if (Array.isArray(value) && value.length > 2)
    findings.invalid(value, "may not specify more than two policyTypes");
  else eachOneOf("Ingress", "Egress")(value, findings);
}

function portRange(value: unknown, findings: Findings): void {
  const [first, last] = [valueAt(value, "port"), valueAt(value, "endPort")];
  if (typeof last !== "number") return;
  if (first === undefined)
    findings.invalid(last, "may not be specified when `port` is not specified", "endPort");
  else if (typeof first !== "number")
    findings.invalid(last, "may not be specified when `port` is non-numeric", "endPort");
  else if (last < first) findings.invalid(first, "must be greater than or equal to `port`", "endPort");
  else if (last > 65_535) findings.invalid(last, "must be between 1 and 65535, inclusive", "endPort");
}

function ipBlock(block: unknown, findings: Findings): void {
  const cidr = scalarStringAt(block, "cidr");
  const wrong = cidr === "" ? undefined : network(cidr);
  if (cidr === "") findings.required("", "cidr");
  if (wrong) findings.invalid(cidr, wrong, "cidr");
  const whole = parseCidr(cidr);
  for (const [at, text] of stringsAt(block, "except").entries()) {
    const why = network(text);
    const part = parseCidr(text);
    const isInside = whole && part && within(whole, part) && part.prefix > whole.prefix;
    if (why) findings.invalid(text, why, "except", at);
    else if (!wrong && cidr !== "" && !isInside)
      findings.invalid(text, "must be a strict subset of `cidr`", "except", at);
  }
}
