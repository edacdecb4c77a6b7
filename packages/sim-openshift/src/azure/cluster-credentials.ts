import type { ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { errors } from "../errors.ts";
import type { Cluster } from "../runtime/cluster.ts";
import { textAt } from "../runtime/fields.ts";
import { resources } from "../runtime/resources.ts";

/** Where the cluster keeps its service principal: what was minted for machine-api first, then the root. */
const secretKeys = [
  { namespace: "openshift-machine-api", name: "azure-cloud-credentials" },
  { namespace: "kube-system", name: "azure-credentials" },
];

/** The service principal that machine-api signs in with. @throws MissingCredentials */
export async function readCredentials({ client, settings }: Cluster): Promise<ServicePrincipal> {
  for (const key of secretKeys) {
    const secret = await client.find(resources.secrets, key);
    const value = (member: string) => {
      const encoded = textAt(secret, "data", member);
      return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8");
    };
    const clientId = value("azure_client_id");
    const clientSecret = value("azure_client_secret");
    const tenantId = value("azure_tenant_id") ?? settings.platform.tenantId;
    if (clientId && clientSecret) return { tenantId, clientId, clientSecret: new Secret(clientSecret) };
  }
  const places = secretKeys.map(({ namespace, name }) => `${namespace}/${name}`).join(" nor ");
  throw errors.MissingCredentials(`Neither Secret ${places} holds azure_client_id and azure_client_secret.`);
}
