import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { labels, named, oneOf, required } from "../checks.ts";
import { labelValue, qualifiedName } from "../names.ts";
import type { TypeFacts } from "../type-facts.ts";

/** Facts about the metadata types that all API groups use. Source: kubernetes/apimachinery pkg/apis/meta/v1/validation. */
export const metaFacts: TypeFacts = {
  checks: {
    "meta.v1.LabelSelector": [["matchLabels", labels], ["matchExpressions"]],
    "meta.v1.LabelSelectorRequirement": [
      [
        "",
        (requirement, findings) => {
          const operator = scalarStringAt(requirement, "operator");
          const values = listAt(requirement, "values");
          if (operator === "In" || operator === "NotIn") {
            if (values.length === 0)
              findings.required("must be specified when `operator` is 'In' or 'NotIn'", "values");
          } else if (operator === "Exists" || operator === "DoesNotExist") {
            if (values.length > 0)
              findings.forbidden(
                "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
                "values",
              );
          } else {
            findings.invalid(operator, "not a valid selector operator", "operator");
          }
          for (const [at, value] of values.entries()) {
            const why = labelValue(String(value));
            if (why) findings.invalid(value, why, "values", at);
          }
        },
      ],
      ["key", named(qualifiedName)],
    ],
    "meta.v1.Condition": [
      ["type", required, named(qualifiedName)],
      ["status", required, oneOf("False", "True", "Unknown")],
      ["lastTransitionTime", required],
      ["reason", required],
    ],
  },
};
