import { objectAt, valueAt } from "@keelson/base";
import { defaultClass } from "./default-class.ts";
import type { AdmissionPlugin } from "./plugin.ts";

const annotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/**
 * Sets the default storage class of new PersistentVolumeClaims without a class. A claim with an empty class name (`""`) gets no
 * default.
 */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  targets: ["CREATE /persistentvolumeclaims"],
  mutate({ object: claim }, context) {
    const asked =
      valueAt(claim, "spec", "storageClassName") ??
      claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"];
    if (asked !== undefined) return claim;
    const found = defaultClass(context, "storage.k8s.io/storageclasses", annotations);
    if (!found) return claim;
    return { ...claim, spec: { ...objectAt(claim, "spec"), storageClassName: found.metadata.name } };
  },
};
