import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { atLeast, between, oneOf, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

const mustBePositive = atLeast(1, "must be positive");
const maxQueues = 10_000_000;
/** Maximum number of bits in a flow's hash that select the flow's queues. */
const maxEntropyBits = 60;

/**
 * Built-in kind PriorityLevelConfiguration. Source of its rules: kubernetes pkg/apis/flowcontrol/v1/defaults.go and
 * pkg/apis/flowcontrol/validation/validation.go.
 */
export const priorityLevelConfiguration: Kind = {
  group: "flowcontrol.apiserver.k8s.io",
  versions: ["v1"],
  kind: "PriorityLevelConfiguration",
  plural: "prioritylevelconfigurations",
  namespaced: false,
  subresources: { status: {} },
  strategy: { generation: {}, keptWithStatus: "metadata" },
  columns: [
    nameColumn,
    textOf("Type", "spec.type"),
    text("NominalConcurrencyShares", (object) => limited(object, "nominalConcurrencyShares")),
    text("Queues", (object) => limited(object, "limitResponse", "queuing", "queues")),
    text("HandSize", (object) => limited(object, "limitResponse", "queuing", "handSize")),
    text("QueueLengthLimit", (object) => limited(object, "limitResponse", "queuing", "queueLengthLimit")),
    ageColumn,
  ],
  types: {
    defaults: `
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
    },
    mergeKeys: `
flowcontrol.v1.PriorityLevelConfigurationStatus conditions=type
`,
    ownership: `
flowcontrol.v1.PriorityLevelConfigurationStatus conditions=type
`,
    protobuf: `
flowcontrol.v1.ExemptPriorityLevelConfiguration nominalConcurrencyShares=1* lendablePercent=2*
flowcontrol.v1.LimitResponse type=1* queuing=2
flowcontrol.v1.LimitedPriorityLevelConfiguration nominalConcurrencyShares=1* limitResponse=2 lendablePercent=3* borrowingLimitPercent=4*
flowcontrol.v1.PriorityLevelConfiguration metadata=1 spec=2 status=3
flowcontrol.v1.PriorityLevelConfigurationCondition type=1 status=2 lastTransitionTime=3 reason=4 message=5
flowcontrol.v1.PriorityLevelConfigurationSpec type=1* limited=2 exempt=3
flowcontrol.v1.PriorityLevelConfigurationStatus conditions=1
flowcontrol.v1.QueuingConfiguration queues=1* handSize=2* queueLengthLimit=3*
`,
  },
};

function limited(object: unknown, ...path: readonly string[]): string {
  return String(valueAt(object, "spec", "limited", ...path) ?? "<none>");
}

function exemptByName(level: unknown, findings: Findings): void {
  const type = scalarStringAt(level, "spec", "type");
  const isExempt = scalarStringAt(level, "metadata", "name") === "exempt";
  const isKnown = type === "Exempt" || type === "Limited";
  if (isKnown && isExempt !== (type === "Exempt"))
    findings.invalid(type, "must be 'Exempt' if and only if `name` is 'exempt'", "spec", "type");
}

function onlyOfItsType(spec: unknown, findings: Findings): void {
  const type = scalarStringAt(spec, "type");
  const [exempt, limited] = [valueAt(spec, "exempt"), valueAt(spec, "limited")];
  if (type === "Exempt" && limited !== undefined)
    findings.forbidden("must be nil if the type is not Limited", "limited");
  if (type !== "Limited") return;
  if (exempt !== undefined) findings.forbidden("must be nil if the type is Limited", "exempt");
  if (limited === undefined) findings.required("must not be empty when type is Limited", "limited");
  else if (scalarStringAt(limited, "limitResponse", "type") === "")
    findings.required("", "limited", "limitResponse", "type");
}

function queuingIfQueued(response: unknown, findings: Findings): void {
  const hasQueuing = valueAt(response, "queuing") !== undefined;
  const type = scalarStringAt(response, "type");
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
