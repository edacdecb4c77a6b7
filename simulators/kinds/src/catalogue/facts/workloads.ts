import { labelSelectorOf, matchesLabels, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, valueAt } from "@keelson/base";
import type { Findings } from "../findings.ts";
import type { Check } from "../type-facts.ts";
import { checkMounts } from "./pod-checks.ts";

/**
 * Returns a check of a controller's pod template. The selector must match the template, and the restart policy must be Always.
 */
export function ownTemplate(of: string, claims: (spec: unknown) => readonly string[] = () => []): Check {
  return (spec, findings) => {
    const policy = scalarStringAt(spec, "template", "spec", "restartPolicy");
    if (policy !== "Always" && policy !== "") {
      findings.notSupported(policy, ["Always"], "template", "spec", "restartPolicy");
    }
    if (valueAt(spec, "template", "spec", "activeDeadlineSeconds") !== undefined)
      findings.forbidden(
        `activeDeadlineSeconds in ${of} is not Supported`,
        "template",
        "spec",
        "activeDeadlineSeconds",
      );
    checkMounts(valueAt(spec, "template", "spec"), findings, claims(spec), "template", "spec");
  };
}

export function selectsTemplate(spec: unknown, findings: Findings): void {
  const selector = valueAt(spec, "selector");
  const labels = valueAt(spec, "template", "metadata", "labels");
  if (selector === undefined || !matchesLabels(labelSelectorOf(selector), objectAt(labels)))
    findings.invalid(
      labels ?? null,
      "`selector` does not match template `labels`",
      "template",
      "metadata",
      "labels",
    );
}
