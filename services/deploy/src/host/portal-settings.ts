import type { Region } from "../config/configuration.ts";
import type { HostFile } from "./host-settings.ts";
import { runDirectory } from "./parts.ts";

/** Names of the portal's secrets in the region's key vault. */
export const portalSecretNames = {
  /** Server certificate and key of the portal, PEM. */
  server: "portal-server",
  /** Client certificate and key with which the portal's application signs in, PEM. */
  client: "portal-client",
  /** Key that encrypts session cookies. Each version of this key vault secret is a separate key. */
  sessionKey: "portal-session-key",
  /** Host key of the portal's SSH server. */
  sshKey: "portal-sshkey",
} as const;

/** Secret versions shared by all portal machines of one service version, regardless of their start time. */
export interface PortalSecrets {
  /** Session key versions. The first version encrypts, all versions decrypt. */
  readonly sessionKeyVersions: readonly string[];
  readonly sshKeyVersion: string;
  /** Public host key as a line in OpenSSH format. */
  readonly sshHostKey: string;
}

/** Ports of the portal on its machines and on the load balancer (`public...`). */
export const portalPorts = { https: 444, ssh: 2_222, publicHttps: 443, publicSsh: 22 } as const;

/** Returns the host name of the portal. */
export function portalHost({ location, configuration }: Region): string {
  return `${portalRecord(location)}.${configuration.rpParentDomainName}`;
}

/** Returns the portal's record name in the parent domain. */
export function portalRecord(location: string): string {
  return `${location}.admin`;
}

/**
 * Returns the `portal` section of the service configuration and the files that it references. The result is empty if the region
 * has no portal.
 */
export function portalSettings(
  region: Region,
  { sessionKeyVersions, sshKeyVersion, sshHostKey }: PortalSecrets,
): { readonly files: readonly HostFile[]; readonly service: Readonly<Record<string, unknown>> } {
  const { portalClientId, portalAccessGroupIds, portalOperatorGroupIds, portalElevatedGroupIds } =
    region.configuration;
  const file = (name: string) => `${runDirectory}/${name}`;
  const { server, client, sessionKey, sshKey } = portalSecretNames;
  return {
    files: [
      { certificateFile: "portal-server.pem", keyFile: "portal-server-key.pem", secret: server },
      { certificateFile: "portal-client.pem", keyFile: "portal-client-key.pem", secret: client },
      { name: "portal-ssh-key.pem", content: { $secret: sshKey, version: sshKeyVersion } },
      { name: "portal-ssh-key.pub", text: `${sshHostKey}\n` },
    ],
    service: {
      url: `https://${portalHost(region)}`,
      certificateFile: file("portal-server.pem"),
      keyFile: file("portal-server-key.pem"),
      host: "0.0.0.0",
      port: portalPorts.https,
      ssh: {
        hostKeyFile: file("portal-ssh-key.pub"),
        keyFile: file("portal-ssh-key.pem"),
        host: "0.0.0.0",
        listenPort: portalPorts.ssh,
        port: portalPorts.publicSsh,
      },
      signIn: {
        clientId: portalClientId,
        certificateFile: file("portal-client.pem"),
        keyFile: file("portal-client-key.pem"),
        sessionKeys: sessionKeyVersions.map((version) => ({ $secret: sessionKey, version })),
        groups: {
          access: portalAccessGroupIds ?? [],
          operator: portalOperatorGroupIds ?? [],
          elevated: portalElevatedGroupIds ?? [],
        },
      },
    },
  };
}
