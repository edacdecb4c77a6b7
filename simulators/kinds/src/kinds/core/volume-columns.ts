import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { textOf, wide } from "../../columns/column.ts";

const accessModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

export const volumeMode = wide(textOf("VolumeMode", "spec.volumeMode", "<unset>"));

/** Returns the phase of a volume or claim. During deletion, returns `Terminating`. */
export function phase(object: unknown): string {
  const deleting = valueAt(object, "metadata", "deletionTimestamp") !== undefined;
  return deleting ? "Terminating" : scalarStringAt(object, "status", "phase");
}

/** Returns abbreviated access modes, for example `RWO,ROX`. */
export function modes(value: unknown): string {
  const list = Array.isArray(value) ? value.map(String) : [];
  return [...new Set(list)].map((mode) => accessModes[mode] ?? mode).join(",");
}
