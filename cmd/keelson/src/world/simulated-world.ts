import { join } from "node:path";
import { type ApiServer, startApiServer } from "@keelson/apiserver";
import { type Clock, type Logger, Secret } from "@keelson/base";
import {
  blobDataContributorRole,
  type MachineHost,
  ownerRole,
  type SimulatedAzure,
  startSimulatedAzure,
  vaultAdministratorRole,
} from "@keelson/sim-azure";
import { startSimulatedClusters } from "@keelson/sim-openshift";
import type { OperatorMode } from "../commands/options.ts";
import { embedded } from "../embedded-defaults.ts";
import type { Identity } from "../state/identity.ts";
import { portalIdentity } from "../state/portal-identity.ts";
import type { Ports } from "../state/ports.ts";
import type { LocalAuthority } from "./local-authority.ts";
import type { MachineConnections } from "./machine-connections.ts";
import { operatorImageName, operatorImages } from "./operator-images.ts";
import { releasePayload } from "./release-payload.ts";

export interface WorldDeps {
  readonly directory: string;
  readonly identity: Identity;
  readonly local: LocalAuthority;
  readonly ports: Ports;
  readonly machines: MachineConnections;
  /** Runs the machines of scale sets; else they run nothing. */
  readonly machineHost?: MachineHost;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The simulated Azure, its state in the state directory. */
export function startAzure({
  directory,
  identity,
  local,
  ports,
  machines,
  machineHost,
  clock,
  logger,
}: WorldDeps): Promise<SimulatedAzure> {
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
    proxy: { host: "127.0.0.1", port: ports.proxy, tls: local.azureHosts, connectMachine: machines.connect },
    dns: { host: "127.0.0.1", port: ports.dns },
    state: { kind: "file", path: join(directory, "azure.sqlite") },
    tenantId: identity.tenantId,
    subscriptionId: identity.subscriptionId,
    locations: [embedded.location],
    principals: [
      // The container of clusters' service account issuers is no resource of the subscription, so its role is granted here.
      {
        ...principal("Keelson resource provider", identity.firstParty),
        firstParty: true,
        roles: [ownerRole, blobDataContributorRole],
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
    adminToken: new Secret(identity.adminToken),
    trustedCaPem: local.authority.certificatePem,
    publicAuthority: local.authority,
    ...(machineHost ? { machineHost } : {}),
    clock,
    logger: logger.child({ component: "sim-azure" }),
  });
}

/** The clusters' API server and the behaviour of OpenShift on it. Needs the simulated Azure to be up. */
export async function startClusters(deps: WorldDeps, operators: OperatorMode): Promise<AsyncDisposable> {
  const { directory, identity, local, ports, machines, clock, logger } = deps;
  await using stack = new AsyncDisposableStack();
  const apiServer: ApiServer = stack.use(
    await startApiServer({
      host: "127.0.0.1",
      port: ports.clusters,
      publicUrl: `https://localhost:${ports.clusters}`,
      certificateAuthorityPem: local.authority.certificatePem,
      tls: local.serving,
      storage: { kind: "file", path: join(directory, "clusters.sqlite") },
      logger: logger.child({ component: "apiserver" }),
      clock,
    }),
  );
  const { images } = stack.use(operatorImages(operators, logger, () => apiServer.listClusters().length));
  const payload = releasePayload(operators, `${operatorImageName}:latest`);
  const clusters = stack.use(
    await startSimulatedClusters({
      apiServer,
      azure: {
        url: `https://localhost:${ports.azure}`,
        adminToken: new Secret(identity.adminToken),
        caPem: local.authority.certificatePem,
      },
      admin: {
        host: "127.0.0.1",
        port: ports.admin,
        tls: local.serving,
        token: new Secret(identity.adminToken),
      },
      images,
      ...(payload && { releasePayload: payload }),
      folder: join(directory, "nodes"),
      logger: logger.child({ component: "sim-openshift" }),
      clock,
    }),
  );
  stack.use(machines.lead((machine, port) => clusters.connectMachine(machine, port)));
  return stack.move();
}
