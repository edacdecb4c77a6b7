import type { AdmissionPlugin } from "./plugin.ts";

/**
 * Protection finalizers by resource. A finalizer protects a claim while pods use the claim, and a volume while the volume is
 * bound.
 */
export const protectionFinalizers: Readonly<Record<string, string>> = {
  "/persistentvolumeclaims": "kubernetes.io/pvc-protection",
  "/persistentvolumes": "kubernetes.io/pv-protection",
};

/** Adds a finalizer to new PersistentVolumeClaims and PersistentVolumes. The protection controllers remove the finalizer. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  targets: Object.keys(protectionFinalizers).map((bucket) => `CREATE ${bucket}`),
  mutate({ object, resource }) {
    const finalizer = protectionFinalizers[resource.bucket];
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizer || finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  },
};
