/** Namespace of the operator. */
export const operatorNamespace = "openshift-azure-operator";

export const operatorRoles = ["master", "worker"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Returns the name of a role's Deployment. The pod label `app`, the service account and the RBAC roles have the same name. */
export function operatorNameOf(role: OperatorRole): `aro-operator-${OperatorRole}` {
  return `aro-operator-${role}`;
}

/** Service account with which the portal reads the cluster's Prometheus. */
export const prometheusReader = { namespace: operatorNamespace, name: "aro-prometheus-reader" };

/** Name of the Secret with the Azure credentials of the operator's master role. */
export const credentialsSecretName = "azure-cloud-credentials";

/** Path of the Azure token of the operator's master role, on clusters with managed identities. */
export const federatedTokenFile = "/var/run/secrets/openshift/serviceaccount/token";
