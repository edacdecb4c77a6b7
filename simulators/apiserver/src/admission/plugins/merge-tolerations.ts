import { sameJson, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";

/** Removes tolerations that a broader toleration includes. If several are equal, the first one remains. */
export function mergedTolerations(tolerations: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = [];
  for (const [at, each] of tolerations.entries()) {
    const covered = merged.some((other) => covers(other, each));
    const later = tolerations.slice(at + 1).some((other) => !sameJson(other, each) && covers(other, each));
    if (!covered && !later) merged.push(each);
  }
  return merged;
}

function covers(wide: unknown, narrow: unknown): boolean {
  if (sameJson(wide, narrow)) return true;
  const operator = scalarStringAt(wide, "operator");
  const key = scalarStringAt(wide, "key");
  if (key !== scalarStringAt(narrow, "key") && (key !== "" || operator !== "Exists")) return false;
  const effect = scalarStringAt(wide, "effect");
  if (effect !== "" && effect !== scalarStringAt(narrow, "effect")) return false;
  const seconds = valueAt(wide, "tolerationSeconds");
  if (effect === "NoExecute" && typeof seconds === "number") {
    const others = valueAt(narrow, "tolerationSeconds");
    if (typeof others !== "number" || others > seconds) return false;
  }
  if (operator === "Exists") return true;
  return (
    scalarStringAt(narrow, "operator") === "Equal" &&
    scalarStringAt(wide, "value") === scalarStringAt(narrow, "value")
  );
}
