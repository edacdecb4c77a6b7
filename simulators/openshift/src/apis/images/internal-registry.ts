/** Cluster-internal address of the image registry. */
export const internalRegistry = "image-registry.openshift-image-registry.svc:5000";
