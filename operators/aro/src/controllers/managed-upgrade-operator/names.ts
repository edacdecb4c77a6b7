export const name = "managed-upgrade-operator";
export const namespace = "openshift-managed-upgrade-operator";
export const serviceAccount = { kind: "ServiceAccount", name, namespace };
