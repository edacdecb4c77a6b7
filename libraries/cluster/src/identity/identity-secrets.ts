import { type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { oidcIssuerOf } from "./oidc.ts";
import { idOf, type OperatorIdentityWithRoles, operatorIdentitiesWithRoles } from "./platform-identities.ts";

/** Path of the Azure token in every operator's pod. */
const tokenFile = "/var/run/secrets/openshift/serviceaccount/token";

/**
 * Name of the ARO operator. This module skips the operator's credentials, because they are written together with the operator's
 * Deployment.
 */
const ownOperator = "aro-operator";

/** Returns the manifests with the operators' credentials for the installation of a cluster with managed identities. */
export async function identityManifests(context: ClusterContext): Promise<readonly KubeObject[]> {
  const identities = await operatorIdentitiesWithRoles(context);
  return [
    ...identities
      .filter(({ operatorName }) => operatorName !== ownOperator)
      .map((each) => identitySecret(context, each)),
    secret("openshift-cloud-credential-operator", "azure-credentials", {
      azure_tenant_id: tenantIdOf(context),
    }),
    {
      apiVersion: "operator.openshift.io/v1",
      kind: "CloudCredential",
      metadata: { name: "cluster" },
      spec: { managementState: "Managed", credentialsMode: "Manual" },
    },
    {
      apiVersion: "config.openshift.io/v1",
      kind: "Authentication",
      metadata: { name: "cluster" },
      spec: { serviceAccountIssuer: oidcIssuerOf(context) },
    },
  ];
}

/** Writes the Secrets with the operators' identities to the cluster. */
export async function deployPlatformWorkloadIdentitySecrets(context: ClusterContext): Promise<void> {
  const { signal } = context;
  const kube = context.kube();
  for (const identity of await operatorIdentitiesWithRoles(context)) {
    const object = identitySecret(context, identity);
    const name = object.metadata.namespace ?? "";
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await kube.ensure(resources.namespaces, namespace, signal);
    await kube.ensure(resources.secrets, object, signal);
  }
}

const upgradeAnnotation = "cloudcredential.openshift.io/upgradeable-to";

/**
 * Sets the annotation with the OpenShift version for which the cluster's identities are ready. OpenShift blocks an upgrade to a
 * version for which this annotation is missing.
 */
export async function ensureUpgradeAnnotation({ cluster, kube, signal }: ClusterContext): Promise<void> {
  const upgradeableTo = cluster.properties.platformWorkloadIdentityProfile?.upgradeableTo;
  if (!upgradeableTo) return;
  const annotations = { [upgradeAnnotation]: upgradeableTo };
  await kube().mergePatch(
    resources.cloudCredentials,
    { name: "cluster" },
    { metadata: { annotations } },
    signal,
  );
}

function identitySecret(context: ClusterContext, identity: OperatorIdentityWithRoles): KubeObject {
  const [role] = identity.roles;
  if (!role) throw new Error(`the identity of ${identity.operatorName} has no role`);
  const { namespace, name } = role.secretLocation;
  return secret(namespace, name, {
    azure_client_id: idOf(identity, "clientId"),
    azure_subscription_id: context.subscription.id,
    azure_tenant_id: tenantIdOf(context),
    azure_region: context.cluster.location,
    azure_federated_token_file: tokenFile,
  });
}

function tenantIdOf({ environment, subscription }: ClusterContext): string {
  return environment.tenantIdOf(subscription);
}

function secret(namespace: string, name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const metadata = { namespace, name };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", stringData: texts };
}
