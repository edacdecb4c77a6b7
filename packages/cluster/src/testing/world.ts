import { randomBytes, randomUUID } from "node:crypto";
import { type ApiServer, startApiServer } from "@keelson/apiserver";
import {
  type AzureClients,
  type AzureEnvironment,
  connectAzure,
  type ServicePrincipal,
} from "@keelson/azure";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { startSimulatedAzure } from "@keelson/sim-azure";
import { startSimulatedClusters } from "@keelson/sim-openshift";
import type { ClusterEnvironment } from "../environment.ts";
import { simulatedInstaller } from "../installers/simulated.ts";

export const location = "eastus";
export const domain = "eastus.keelson.localhost";
export const serviceGroup = "rp-eastus";
export const networkGroup = "network";

/** The simulated Azure and the clusters on it, and the environment that a backend finds them through. */
export interface World extends AsyncDisposable {
  readonly subscriptionId: string;
  readonly apiServer: ApiServer;
  /** As the service. */
  readonly azure: AzureClients;
  readonly environment: ClusterEnvironment;
  /** An application that a cluster can act as. */
  readonly clusterPrincipals: readonly ServicePrincipal[];
  /** The ID of a subnet of the shared network, made if need be. */
  subnet(name: string, addressPrefix: string): Promise<string>;
}

const principalCount = 8;
const signal = AbortSignal.timeout(30 * 60_000);

export async function startWorld(change: Partial<ClusterEnvironment> = {}): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority("test CA", 1);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const tenantId = randomUUID();
  const subscriptionId = randomUUID();
  const principal = (): ServicePrincipal => ({
    tenantId,
    clientId: randomUUID(),
    clientSecret: new Secret(randomBytes(12).toString("hex")),
  });
  const service = principal();
  const clusterPrincipals = Array.from({ length: principalCount }, principal);
  const adminToken = new Secret(randomUUID());
  const host = "127.0.0.1";
  const shared = { host, port: 0, tls, clock: systemClock, logger: silentLogger };
  const simulated = stack.use(
    await startSimulatedAzure({
      ...shared,
      state: { kind: "memory" },
      tenantId,
      subscriptionId,
      locations: [location],
      principals: [service, ...clusterPrincipals].map((each) => ({ ...each, displayName: "test" })),
      adminToken,
    }),
  );
  const apiServer = stack.use(await startApiServer({ ...shared, storage: { kind: "memory" } }));
  const caPem = authority.certificatePem;
  const hypervisor = { url: simulated.url, adminToken, caPem };
  stack.use(
    await startSimulatedClusters({ apiServer, azure: hypervisor, clock: systemClock, logger: silentLogger }),
  );
  const azureEnvironment: AzureEnvironment = {
    armEndpoint: simulated.url,
    loginEndpoint: simulated.url,
    audience: "https://management.azure.com/",
    caPem,
    pollIntervalMs: 50,
  };
  const connect = (credential: ServicePrincipal, subscription: string) =>
    connectAzure({
      environment: azureEnvironment,
      credential,
      subscriptionId: subscription,
      logger: silentLogger,
    });
  const azure = connect(service, subscriptionId);
  const options = { abortSignal: signal };
  await azure.resources.resourceGroups.createOrUpdate(serviceGroup, { location }, options);
  await azure.resources.resourceGroups.createOrUpdate(networkGroup, { location }, options);
  await azure.dns.zones.createOrUpdate(serviceGroup, domain, { location: "global" }, options);
  await azure.network.virtualNetworks.createOrUpdate(
    networkGroup,
    "vnet",
    { location, addressSpace: { addressPrefixes: ["10.0.0.0/9"] } },
    options,
  );
  const running = stack.move();
  return {
    subscriptionId,
    apiServer,
    azure,
    clusterPrincipals,
    environment: {
      location,
      domain,
      resourceGroup: serviceGroup,
      subscriptionId,
      azure: azureEnvironment,
      connectAzure: (subscription, connection) =>
        connectAzure({
          environment: azureEnvironment,
          credential: service,
          subscriptionId: subscription,
          ...connection,
        }),
      connectAzureAs: (credential, subscription, connection) =>
        connectAzure({
          environment: azureEnvironment,
          credential,
          subscriptionId: subscription,
          ...connection,
        }),
      tenantIdOf: () => tenantId,
      installer: simulatedInstaller({ clustersUrl: apiServer.url, caPem }),
      certificateIssuer: issuer(authority),
      authorizationRetry: { everyMs: 50, forMs: 500 },
      ...change,
    },
    async subnet(name, addressPrefix) {
      const made = await azure.network.subnets.createOrUpdate(
        networkGroup,
        "vnet",
        name,
        { addressPrefix },
        azure.call(signal),
      );
      return made.id ?? "";
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function issuer(authority: KeyPair): ClusterEnvironment["certificateIssuer"] {
  const issued = new Map<string, Promise<KeyPair>>();
  return {
    async issue(name, dnsNames) {
      const [commonName = name] = dnsNames;
      const request = { commonName, dnsNames, usage: "server", validDays: 90 } as const;
      const pair = issued.get(name) ?? issueCertificate(authority, request);
      issued.set(name, pair);
      return { ...(await pair), caPem: authority.certificatePem };
    },
  };
}
