import { textAt, valueAt } from "@keelson/apimachinery";
import { textOf, wide } from "../../columns/column.ts";

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

export const volumeMode = wide(textOf("VolumeMode", "spec.volumeMode", "<unset>"));

/** The phase of a volume or a claim, unless it is being deleted. */
export function phase(object: unknown): string {
  const deleting = valueAt(object, "metadata", "deletionTimestamp") !== undefined;
  return deleting ? "Terminating" : textAt(object, "status", "phase");
}

/** Access modes in short: `RWO,ROX`. */
export function modes(value: unknown): string {
  const list = Array.isArray(value) ? value.map(String) : [];
  return [...new Set(list)].map((mode) => accessModes[mode] ?? mode).join(",");
}
