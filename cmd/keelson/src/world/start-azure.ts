import { join } from "node:path";
import { Secret } from "@keelson/base";
import {
  blobDataContributorRole,
  type MachineHost,
  type OpenedState,
  ownerRole,
  recordedTimings,
  type SimulatedAzure,
  startSimulatedAzure,
  vaultAdministratorRole,
} from "@keelson/sim-azure";
import { embedded } from "../state/embedded-defaults.ts";
import { portalIdentity } from "../state/portal-identity.ts";
import { clusterAddressOf } from "./cluster-address.ts";
import { machineConnections } from "./machine-connections.ts";
import type { WorldDeps } from "./world-deps.ts";

export interface AzureDeps extends WorldDeps {
  /** Loaded state. The simulated Azure closes its files. Default: loads the state in the state directory. */
  readonly opened?: OpenedState;
  /** Runs the machines of scale sets. Default: machines run no programs. */
  readonly machineHost?: MachineHost;
  /** True if each cluster's API server has a separate address in 127.0.0.0/8. */
  readonly clusterAddresses?: boolean;
  /**
   * `User-Agent` of the console. If it is set, the requests of all other clients are recorded for the console. Default: requests
   * are not recorded.
   */
  readonly logReader?: string;
}

/** Starts the simulated Azure. Its state is stored in the state directory. */
export function startAzure({
  directory,
  identity,
  local,
  ports,
  clusterProcesses,
  pace,
  installerSecrets,
  opened,
  machineHost,
  clusterAddresses = false,
  logReader,
  clock,
  logger,
}: AzureDeps): Promise<SimulatedAzure> {
  const adminToken = new Secret(identity.adminToken);
  const caPem = local.authority.certificatePem;
  const connectMachine = machineConnections({
    ports: clusterProcesses.map(({ admin }) => admin),
    caPem,
    token: adminToken,
  });
  const principal = (
    displayName: string,
    { clientId, clientSecret }: { clientId: string; clientSecret: string },
  ) => ({
    displayName,
    clientId,
    clientSecret: new Secret(clientSecret),
  });
  return startSimulatedAzure({
    host: "127.0.0.1",
    port: ports.azure,
    publicUrl: `https://localhost:${ports.azure}`,
    tls: local.serving,
    proxy: {
      host: "127.0.0.1",
      port: ports.proxy,
      tls: local.azureHosts,
      connectMachine,
      clusters: { host: "127.0.0.1", port: ports.clusters },
    },
    dns: {
      host: "127.0.0.1",
      port: ports.dns,
      clusterAddress: (domain) => clusterAddressOf(domain, clusterAddresses),
    },
    state: opened ? { kind: "opened", opened } : { kind: "file", path: join(directory, "azure.sqlite") },
    tenantId: identity.tenantId,
    subscriptionId: identity.subscriptionId,
    ...(identity.seed === undefined ? {} : { seed: identity.seed }),
    locations: [embedded.location],
    ...(pace.kind === "recorded" ? { timings: recordedTimings(pace.factor) } : {}),
    principals: [
      // The service's role on the container for service account issuers is granted here, because this container is not an ARM
      // resource in the subscription.
      {
        ...principal("Keelson resource provider", identity.firstParty),
        firstParty: true,
        roles: [ownerRole, blobDataContributorRole, ...(installerSecrets ? [vaultAdministratorRole] : [])],
        // ARO's installer signs in with a certificate.
        ...(installerSecrets ? { certificatePem: installerSecrets.firstParty.certificatePem } : {}),
      },
      {
        ...principal("Keelson user", identity.user),
        roles: [ownerRole, blobDataContributorRole, vaultAdministratorRole],
      },
      {
        ...principal("Keelson portal", portalIdentity(identity)),
        redirectUris: [`https://localhost:${ports.portal}/callback`],
        certificatePem: local.portalClient.certificatePem,
      },
    ],
    resourceProvider: {
      url: `https://localhost:${ports.rp}`,
      caPem: local.authority.certificatePem,
      certificate: local.arm,
    },
    adminToken,
    ...(logReader === undefined ? {} : { logRequests: true, unloggedReader: logReader }),
    trustedCaPem: caPem,
    publicAuthority: local.authority,
    ...(machineHost ? { machineHost } : {}),
    clock,
    logger: logger.child({ component: "sim-azure" }),
  });
}
