/** Address of the cluster's registry for pods. */
export const internalRegistry = "image-registry.openshift-image-registry.svc:5000";
