import { valueAt } from "@keelson/base";
import { intOrPercent, notMoreThanAll, oneOf } from "../../catalogue/checks.ts";
import { counts } from "../../catalogue/facts/replica-status.ts";
import { ageColumn, count, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind PodDisruptionBudget. Source of its rules: kubernetes pkg/apis/policy/v1/defaults.go and
 * pkg/apis/policy/validation/validation.go.
 */
export const podDisruptionBudget: Kind = {
  group: "policy",
  versions: ["v1"],
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  shortNames: ["pdb"],
  namespaced: true,
  subresources: { status: {} },
  strategy: { generation: {}, requiresResourceVersion: true },
  columns: [
    nameColumn,
    text("Min Available", (object) => String(valueAt(object, "spec", "minAvailable") ?? "N/A")),
    text("Max Unavailable", (object) => String(valueAt(object, "spec", "maxUnavailable") ?? "N/A")),
    count("Allowed Disruptions", "status.disruptionsAllowed"),
    ageColumn,
  ],
  types: {
    defaults: `
policy.v1.PodDisruptionBudget status={}
policy.v1.PodDisruptionBudgetStatus currentHealthy=0 desiredHealthy=0 disruptionsAllowed=0 expectedPods=0
`,
    checks: {
      "policy.v1.PodDisruptionBudgetStatus": counts(
        "disruptionsAllowed",
        "currentHealthy",
        "desiredHealthy",
        "expectedPods",
      ),
      "policy.v1.PodDisruptionBudgetSpec": [
        [
          "",
          (spec, findings) => {
            if (valueAt(spec, "minAvailable") !== undefined && valueAt(spec, "maxUnavailable") !== undefined)
              findings.invalid(internalForm(spec), "minAvailable and maxUnavailable cannot be both set");
          },
        ],
        ["minAvailable", intOrPercent, notMoreThanAll],
        ["maxUnavailable", intOrPercent, notMoreThanAll],
        ["selector"],
        ["unhealthyPodEvictionPolicy", oneOf("AlwaysAllow", "IfHealthyBudget")],
      ],
    },
    mergeKeys: `
policy.v1.PodDisruptionBudgetSpec selector=!
policy.v1.PodDisruptionBudgetStatus conditions=type
`,
    ownership: `
policy.v1.PodDisruptionBudgetStatus conditions=type
`,
    protobuf: `
policy.v1.PodDisruptionBudget metadata=1 spec=2 status=3
policy.v1.PodDisruptionBudgetSpec minAvailable=1* selector=2 maxUnavailable=3* unhealthyPodEvictionPolicy=4*
policy.v1.PodDisruptionBudgetStatus observedGeneration=1 disruptedPods=2 disruptionsAllowed=3* currentHealthy=4* desiredHealthy=5* expectedPods=6* conditions=7
`,
    enums: `
policy.v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy AlwaysAllow|IfHealthyBudget
`,
  },
};

/** Returns the spec with the field names of the internal Go type. Error messages contain these names. */
function internalForm(spec: unknown): object {
  return {
    MinAvailable: valueAt(spec, "minAvailable") ?? null,
    Selector: valueAt(spec, "selector") ?? null,
    MaxUnavailable: valueAt(spec, "maxUnavailable") ?? null,
    UnhealthyPodEvictionPolicy: valueAt(spec, "unhealthyPodEvictionPolicy") ?? null,
  };
}
