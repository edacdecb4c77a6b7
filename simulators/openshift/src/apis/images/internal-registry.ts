/** Where the cluster's own registry serves, as pods reach it. */
export const internalRegistry = "image-registry.openshift-image-registry.svc:5000";
