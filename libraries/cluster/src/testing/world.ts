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
import {
  blobDataContributorRole,
  networkContributorRole,
  ownerRole,
  type SimulatedAzure,
  startSimulatedAzure,
} from "@keelson/sim-azure";
import { startSimulatedClusters } from "@keelson/sim-openshift";
import { simulatedInstaller } from "@keelson/sim-openshift/simulated-installer";
import type { ClusterEnvironment } from "../context/environment.ts";
import { azureManagedIdentities } from "../identity/managed-identities.ts";
import { serviceNetwork } from "../network/service-network.ts";

export const location = "eastus";
export const domain = "eastus.keelson.localhost";
export const serviceGroup = "rp-eastus";
export const networkGroup = "network";

/** The simulated Azure with its clusters, and the environment through which a backend connects to them. */
export interface World extends AsyncDisposable {
  readonly subscriptionId: string;
  readonly apiServer: ApiServer;
  readonly simulatedAzure: SimulatedAzure;
  /** Azure clients with the service's credentials. */
  readonly azure: AzureClients;
  /** Azure clients with the credentials of a subscription owner. */
  readonly operator: AzureClients;
  readonly service: ServicePrincipal;
  readonly environment: ClusterEnvironment;
  /** Applications that clusters use as service principals. They have permissions on networks. */
  readonly clusterPrincipals: readonly ServicePrincipal[];
  /** Identity URL as Azure Resource Manager sends it. The service fetches the credentials of managed identities from this URL. */
  readonly identityUrl: string;
  /** Creates a subnet of the shared network if it is missing, and returns its ID. */
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
  const [service, operator] = [principal(), principal()];
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
      principals: [
        {
          ...service,
          displayName: "service",
          firstParty: true,
          roles: [ownerRole, blobDataContributorRole],
        },
        { ...operator, displayName: "operator", roles: [ownerRole] },
        ...clusterPrincipals.map((each) => ({
          ...each,
          displayName: "cluster",
          roles: [networkContributorRole],
        })),
      ],
      adminToken,
      trustedCaPem: authority.certificatePem,
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
  for (const [network, subnet, addressPrefix] of [
    ["rp-pe-vnet-001", "rp-pe-subnet", "10.128.0.0/24"],
    ["rp-vnet", "rp-subnet", "10.129.0.0/24"],
  ] as const) {
    const serviceEndpoints = [{ service: "Microsoft.Storage", locations: ["*"] }];
    const body = {
      location,
      addressSpace: { addressPrefixes: [addressPrefix] },
      subnets: [{ name: subnet, addressPrefix, serviceEndpoints }],
    };
    await azure.network.virtualNetworks.createOrUpdate(serviceGroup, network, body, options);
  }
  const running = stack.move();
  return {
    subscriptionId,
    apiServer,
    simulatedAzure: simulated,
    azure,
    operator: connect(operator, subscriptionId),
    service,
    clusterPrincipals,
    identityUrl: `${simulated.url}/identity/credentials?tid=${tenantId}`,
    environment: {
      location,
      domain,
      resourceGroup: serviceGroup,
      subscriptionId,
      network: serviceNetwork({ subscriptionId, resourceGroup: serviceGroup }),
      environmentType: "test",
      operatorImage: "keelson:latest",
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
      managedIdentities: azureManagedIdentities({
        environment: azureEnvironment,
        credential: service,
        audience: "https://identity.azure.net",
        hostSuffix: new URL(simulated.url).host,
        checkAccess: {
          url: `${simulated.url}/providers/Microsoft.Authorization/checkAccess`,
          audience: "https://authorization.azure.net",
        },
        oidcIssuer: {
          endpoint: `${simulated.url}/web/oidc`,
          containerUrl: `${simulated.url}/blobs/oidc/$web`,
          keyBits: 2048,
        },
      }),
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
    async forget(name) {
      issued.delete(name);
    },
    async issue(name, dnsNames) {
      const [commonName = name] = dnsNames;
      const request = { commonName, dnsNames, usage: "server", validDays: 90 } as const;
      const pair = issued.get(name) ?? issueCertificate(authority, request);
      issued.set(name, pair);
      return { ...(await pair), caPem: authority.certificatePem };
    },
  };
}
