import {
  createCertificateAuthority,
  issueCertificate,
  listAt,
  Secret,
  stringAt,
  valueAt,
} from "@keelson/base";
import { secret } from "../base/data-objects.ts";
import { assetsDirectory } from "../settings/boot-configuration.ts";
import { type ClusterSettings, objectOf, parseSettings } from "../settings/cluster-settings.ts";
import { bootstrapFiles } from "./bootstrap-files.ts";

/** Path of the cluster description in releases before 0.2. */
const clusterFile = `${assetsDirectory}/cluster.json`;
const signingKeyFile = `${assetsDirectory}/tls/bound-service-account-signing-key.key`;
const tenYearsInDays = 3_650;

/**
 * Converts bootstrap files of earlier releases to the files of `openshift-install`. Returns other files unchanged.
 * @throws TypeError with the name of the missing field
 */
export async function convertEarlierFiles(
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const text = files.get(clusterFile);
  if (text === undefined) return files;
  const value: unknown = JSON.parse(text);
  const settings = parseSettings(value);
  const signingKey = files.get(signingKeyFile);
  const machineConfigHost = `api-int.${settings.domain}`;
  const rootAuthority = await createCertificateAuthority("root-ca", tenYearsInDays);
  const machineConfigServer = await issueCertificate(rootAuthority, {
    commonName: "system:machine-config-server",
    dnsNames: [machineConfigHost],
    usage: "server",
    validDays: tenYearsInDays,
  });
  const principal = valueAt(value, "servicePrincipal");
  const converted = bootstrapFiles({
    settings,
    rootAuthority,
    machineConfigServer,
    machineConfigHost,
    cloudCredentials: principal === undefined ? undefined : cloudCredentials(settings, principal),
    workerMachineSets: [],
    boundServiceAccountSigningKey: signingKey === undefined ? undefined : new Secret(signingKey),
    manifests: listAt(value, "manifests").map((each, index) =>
      objectOf(each, `cluster.json: manifests[${index}]`),
    ),
  });
  return new Map(Object.entries(converted));
}

function cloudCredentials({ infraId, platform }: ClusterSettings, principal: unknown) {
  return secret("kube-system", "azure-credentials", {
    azure_client_id: stringAt(principal, "clientId") ?? "",
    azure_client_secret: stringAt(principal, "clientSecret") ?? "",
    azure_region: platform.location,
    azure_resource_prefix: infraId,
    azure_resourcegroup: platform.resourceGroup,
    azure_subscription_id: platform.subscriptionId,
    azure_tenant_id: platform.tenantId,
  });
}
