import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";

const annotation = "volume.beta.kubernetes.io/storage-class";

/** Returns the storage class name of a claim, from its annotation or spec. Empty for a claim without a class. */
export function storageClassOf(claim: unknown): string {
  const annotated = valueAt(claim, "metadata", "annotations", annotation);
  return typeof annotated === "string" ? annotated : scalarStringAt(claim, "spec", "storageClassName");
}
