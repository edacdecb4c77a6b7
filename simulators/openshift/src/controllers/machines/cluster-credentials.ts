import type { AzurePrincipal } from "@keelson/azure";
import { Secret, stringAt } from "@keelson/base";
import { errors } from "../../base/errors.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Service account and Azure token audience of machine-api. */
const account = {
  namespace: "openshift-machine-api",
  serviceAccount: "machine-api-controllers",
  audiences: ["openshift"],
};

/** Secrets with the cluster's credentials, highest priority first. */
const secretKeys = [
  { namespace: account.namespace, name: "azure-cloud-credentials" },
  { namespace: "kube-system", name: "azure-credentials" },
];

/**
 * Returns the Azure credentials of machine-api: the cluster's service principal or a managed identity.
 * @throws MissingCredentials
 */
export async function readCredentials({ client, logical, settings }: Cluster): Promise<AzurePrincipal> {
  for (const key of secretKeys) {
    const secret = await client.find(resources.secrets, key);
    const value = (member: string) => {
      const encoded = stringAt(secret, "data", member);
      return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8");
    };
    const clientId = value("azure_client_id");
    const clientSecret = value("azure_client_secret");
    const tenantId = value("azure_tenant_id") ?? settings.platform.tenantId;
    if (clientId && clientSecret) return { tenantId, clientId, clientSecret: new Secret(clientSecret) };
    if (clientId && value("azure_federated_token_file")) {
      const assertion = async () => (await logical.issueToken(account)).token;
      return { tenantId, clientId, assertion };
    }
  }
  const places = secretKeys.map(({ namespace, name }) => `${namespace}/${name}`).join(" nor ");
  throw errors.MissingCredentials(
    `Neither Secret ${places} contains azure_client_id with azure_client_secret or azure_federated_token_file.`,
  );
}
