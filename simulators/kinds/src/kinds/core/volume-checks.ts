import { oneOf } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

export const volumeModes = oneOf("Block", "Filesystem");

/** Validates access modes of a volume or claim. */
export function eachAccessMode(value: unknown, findings: Findings): void {
  if (!Array.isArray(value)) return;
  for (const mode of value) if (!accessModes.includes(String(mode))) findings.notSupported(mode, accessModes);
  if (value.includes("ReadWriteOncePod") && value.length > 1)
    findings.forbidden("may not use ReadWriteOncePod with other access modes");
}
