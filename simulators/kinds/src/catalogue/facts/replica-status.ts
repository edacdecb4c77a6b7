import { numberOrZeroAt } from "@keelson/apimachinery";
import { nonNegative } from "../checks.ts";
import type { Check, FieldChecks } from "../type-facts.ts";

/** Returns checks that reject negative counts in a status. */
export function counts(...fields: readonly string[]): readonly FieldChecks[] {
  return fields.map((field) => [field, nonNegative]);
}

/** Returns a check that each count in `fields` is at most the count in `whole`. */
export function partsOf(whole: string, fields: readonly string[], called = `status.${whole}`): Check {
  return (status, findings) => {
    for (const field of fields) {
      const part = numberOrZeroAt(status, field);
      if (part > numberOrZeroAt(status, whole))
        findings.invalid(part, `cannot be greater than ${called}`, field);
    }
  };
}

/** Checks for the status of a ReplicationController or ReplicaSet. */
export const replicaStatus: readonly FieldChecks[] = [
  ...counts("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"),
  ["", partsOf("replicas", ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"])],
  ["", partsOf("readyReplicas", ["availableReplicas"], "readyReplicas")],
];
