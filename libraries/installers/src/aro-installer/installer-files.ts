import { customManifests } from "../install/custom-manifests.ts";
import type { DevelopmentProxyFiles } from "../install/development-proxy.ts";
import type { InstallContext } from "../install/install-context.ts";
import { installerDocuments } from "../install/installer-documents.ts";
import { installerYaml } from "../install/installer-yaml.ts";

/** Place of `SSL_CERT_FILE` if the service trusts a CA bundle that the host does not. */
export const caFile = "/.azure/ca.pem";

/** Returns the input files of ARO's installer by absolute path, as Hive mounts them. All are secret. */
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
