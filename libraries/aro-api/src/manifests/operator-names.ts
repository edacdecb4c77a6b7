/** The namespace that the operator runs in. */
export const operatorNamespace = "openshift-azure-operator";

export const operatorRoles = ["master", "worker"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Names the Deployment of a role, its pods' label `app`, its service account and its roles. */
export function operatorNameOf(role: OperatorRole): `aro-operator-${OperatorRole}` {
  return `aro-operator-${role}`;
}

/** The service account by which the portal reads the cluster's Prometheus. */
export const prometheusReader = { namespace: operatorNamespace, name: "aro-prometheus-reader" };

/** The Secret with which the master signs in to Azure. */
export const credentialsSecretName = "azure-cloud-credentials";

/** The master's token for Azure on clusters with managed identities. */
export const federatedTokenFile = "/var/run/secrets/openshift/serviceaccount/token";
