import { customManifests } from "../install/custom-manifests.ts";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import type { InstallContext } from "../install/install-context.ts";
import { installerDocuments } from "../install/installer-documents.ts";
import { installerYaml } from "../install/installer-yaml.ts";

/** Path of the CA bundle for `SSL_CERT_FILE`. The installer needs the bundle if its host does not trust the service's CAs. */
export const caFile = "/.azure/ca.pem";

/**
 * Returns the input files of ARO's installer by absolute path. Hive mounts the same files at these paths. All files are secret.
 */
export async function installerFiles(
  context: InstallContext,
  developmentProxy: DevelopmentProxyFiles | undefined,
): Promise<Readonly<Record<string, string | Buffer>>> {
  const documents = Object.entries(installerDocuments(context));
  const manifests = Object.entries(await customManifests(context));
  const { boundServiceAccountSigningKey: key } = context.cluster.properties.clusterProfile;
  const { caPem } = context.azureEnvironment;
  return {
    ...Object.fromEntries(documents.map(([name, text]) => [`/.azure/${name}`, text.reveal()])),
    ...Object.fromEntries(
      Object.entries(developmentProxy ?? {}).map(([name, encoded]) => [
        `/.azure/${name}`,
        Buffer.from(encoded.reveal(), "base64"),
      ]),
    ),
    ...Object.fromEntries(manifests.map(([name, each]) => [`/manifests/${name}`, installerYaml(each)])),
    ...(key ? { "/boundsasigningkey/bound-service-account-signing-key.key": key.reveal() } : {}),
    ...(caPem ? { [caFile]: caPem } : {}),
  };
}
