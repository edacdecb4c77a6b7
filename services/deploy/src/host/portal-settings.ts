import type { Region } from "../config/configuration.ts";
import type { HostFile } from "./host-settings.ts";
import { runDirectory } from "./parts.ts";

/** Names of the portal's secrets in the vault of a region. */
export const portalSecretNames = {
  /** Server certificate of the portal, with its key, in PEM. */
  server: "portal-server",
  /** Certificate with which its application signs in, with its key, in PEM. */
  client: "portal-client",
  /** Seals the cookies of people who are signed in. Each version is a key. */
  sessionKey: "portal-session-key",
  /** Host key of its SSH server. */
  sshKey: "portal-sshkey",
} as const;

/** Secret versions that all portal machines of a version share, independent of their start time. */
export interface PortalSecrets {
  /** The first version seals, all of them open. */
  readonly sessionKeyVersions: readonly string[];
  readonly sshKeyVersion: string;
  /** Public half as a line in OpenSSH format. */
  readonly sshHostKey: string;
}

/** Ports of the machines' portal, and the load balancer's ports that forward to them. */
export const portalPorts = { https: 444, ssh: 2_222, publicHttps: 443, publicSsh: 22 } as const;

/** Returns the host name of the portal. */
export function portalHost({ location, configuration }: Region): string {
  return `${portalRecord(location)}.${configuration.rpParentDomainName}`;
}

/** Returns the portal's name in the parent domain. */
export function portalRecord(location: string): string {
  return `${location}.admin`;
}

/**
 * Returns the property `portal` of the service's configuration and the files that it names. Empty if the region
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
