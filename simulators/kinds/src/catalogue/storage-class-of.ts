import { textAt, valueAt } from "@keelson/apimachinery";

const annotation = "volume.beta.kubernetes.io/storage-class";

/** The name of a claim's storage class, in the old place or the new one; empty where it has none. */
export function storageClassOf(claim: unknown): string {
  const annotated = valueAt(claim, "metadata", "annotations", annotation);
  return typeof annotated === "string" ? annotated : textAt(claim, "spec", "storageClassName");
}
