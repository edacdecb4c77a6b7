import { type KeyPair, requireOptions, type Secret } from "@keelson/base";
import { type Inventory, inventoryOf } from "./audit/inventory.ts";
import { ownerRole, readerRole } from "./authorization/built-in-roles.ts";
import { keepFormerRights } from "./authorization/former-rights.ts";
import { seedRoleAssignment } from "./authorization/role-assignments.ts";
import { asJson } from "./base/json.ts";
import { advance } from "./clock/clock-response.ts";
import { clusterDomainOf } from "./dns/cluster-names.ts";
import { type DnsServerOptions, startDnsServer } from "./dns/dns-server.ts";
import { ZoneIndex } from "./dns/zone-index.ts";
import { Directory } from "./entra/directory.ts";
import { newSignIns } from "./entra/entra-deps.ts";
import { issuerKeysOver } from "./entra/issuer-keys.ts";
import {
  registerPrincipal,
  type SimulatedPrincipal,
  seedDirectory,
  seededId,
} from "./entra/seed-directory.ts";
import { Tokens } from "./entra/tokens.ts";
import type { FaultInForce } from "./faults/definitions/fault.ts";
import { handleRequest } from "./http/handler.ts";
import { createServer } from "./http/server.ts";
import { VirtualMachineFeed } from "./hypervisor/virtual-machine-feed.ts";
import { type VaultExpiry, vaultExpiries } from "./key-vault/vault-expiries.ts";
import { routeToMachine } from "./network/private-route.ts";
import { type OpenedState, openedState, openState } from "./open-state.ts";
import { openSubscription, type SubscriptionOptions } from "./open-subscription.ts";
import { ArmPipeline } from "./pipeline/arm-pipeline.ts";
import { type ForwardProxyOptions, startForwardProxy } from "./proxy/forward-proxy.ts";
import { RequestLog } from "./request-log/request-log.ts";
import { clearClusters } from "./resource-provider/clear-clusters.ts";
import { ProviderFront } from "./resource-provider/provider-front.ts";
import { ResourceProvider, type ResourceProviderOptions } from "./resource-provider/resource-provider.ts";
import type { SettingsPatch } from "./settings/settings.ts";
import { BlobFiles } from "./storage/blob-files.ts";
import { Store } from "./store/store.ts";

export type { SimulatedPrincipal };

export interface SimulatedAzureOptions extends SubscriptionOptions {
  readonly host: string;
  /** Port to listen on. 0 selects a free port. */
  readonly port: number;
  /**
   * Base URL of links in responses. Set if clients use a different host name. Default: the URL with the host to which the client
   * sent its request.
   */
  readonly publicUrl?: string;
  readonly tls: KeyPair;
  /** Proxy for clients with Azure's built-in host names. Default: none. */
  readonly proxy?: ForwardProxyOptions;
  /** DNS server for the public DNS zones, over UDP and TCP. Default: none. */
  readonly dns?: DnsServerOptions;
  /**
   * Storage of the state. `file` stores the subscription in an SQLite file, which only one process may open. Blobs are stored in
   * a directory next to this file. `opened` is the result of `openState`. Disposal of the simulated Azure also closes these
   * files.
   */
  readonly state:
    | { readonly kind: "memory" }
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "opened"; readonly opened: OpenedState };
  readonly principals: readonly SimulatedPrincipal[];
  /** Additional CA certificates (PEM) for the connections on which Entra ID reads the keys of other token issuers. */
  readonly trustedCaPem?: string;
  /** Service for `Microsoft.RedHatOpenShift`. Default: the namespace has no resources. */
  readonly resourceProvider?: ResourceProviderOptions;
  /** Token for the hypervisor endpoints, which have paths below `/sim/`. */
  readonly adminToken: Secret;
  /** True to log the newest requests in memory, without secrets. Default: false. */
  readonly logRequests?: boolean;
  /**
   * `User-Agent` header of the client that displays the log. The read requests of this client are not logged, because they would
   * displace the requests of other clients.
   */
  readonly unloggedReader?: string;
}

export interface SimulatedAzure extends AsyncDisposable {
  /** Base URL `https://host:port` of the ARM endpoint, the authority and the hypervisor endpoints. */
  readonly url: string;
  readonly port: number;
  /** Port of the proxy, if enabled. */
  readonly proxyPort: number | undefined;
  /** Port of the DNS server, if enabled. */
  readonly dnsPort: number | undefined;
  /**
   * Applies a JSON merge patch to settings that clients cannot change through ARM.
   * @throws ArmError for invalid settings
   */
  change(settings: SettingsPatch): void;
  /** Advances the subscription's time by `ms` milliseconds. The offset persists across restarts. */
  advance(ms: number): void;
  /** Returns resources and principals for `audit`. */
  inventory(): Inventory;
  /** Returns the active faults, each with its name and the numbers of matched and affected requests. */
  faults(): readonly FaultInForce[];
  /** Log of the newest requests. Undefined unless `logRequests` is set. */
  readonly requests: RequestLog | undefined;
  /** Returns the expiry dates of secrets and certificates in key vaults. */
  vaultExpiries(): readonly VaultExpiry[];
  /**
   * Returns the object ID of a principal. Role assignments contain this ID as `principalId`. `name` is the client ID of an
   * application or the name of a user. Undefined for an unknown principal.
   */
  objectIdOf(name: string): string | undefined;
  /**
   * Returns the reason for which a service rejects a token. `audiences` contains the audiences that the service accepts. Returns
   * `undefined` if the service accepts the token.
   */
  refusalOf(token: string, audiences: readonly string[]): Promise<string | undefined>;
}

const requiredOptions = [
  "host",
  "port",
  "tls",
  "state",
  "tenantId",
  "subscriptionId",
  "locations",
  "principals",
  "adminToken",
  "clock",
  "logger",
] as const;

/**
 * Starts Azure Resource Manager, Entra ID and the other services on one HTTPS listener. Resumes operations of a previous process.
 */
export async function startSimulatedAzure(options: SimulatedAzureOptions): Promise<SimulatedAzure> {
  requireOptions("startSimulatedAzure", options, requiredOptions);
  const { logger, tenantId } = options;
  await using opened = new AsyncDisposableStack();
  const { state } = options;
  const { store, files } = opened.use(await stateOf(state));
  const subscription = openSubscription(store, files, {
    ...options,
    firstPartyClientIds: options.principals
      .filter(({ firstParty }) => firstParty)
      .map(({ clientId }) => clientId),
    clearGroup: async (operation, signal) =>
      providerFront && clearClusters(providerFront, subscription, operation, signal),
  });
  const provider = options.resourceProvider && new ResourceProvider(options.resourceProvider);
  const providerFront = provider && new ProviderFront(subscription, provider);
  const { clock } = subscription;
  opened.use(subscription.operations);
  const directory = new Directory(store);
  store.transaction(() => {
    keepFormerRights(subscription, directory);
    for (const principal of options.principals) {
      registerPrincipal(directory, tenantId, principal);
      const objectId = directory.find(principal.clientId)?.objectId ?? "";
      for (const role of principal.roles ?? []) seedRoleAssignment(subscription, objectId, role);
    }
    seedDirectory(directory, tenantId);
    seedRoleAssignment(subscription, seededId(tenantId, "administrator"), ownerRole);
    seedRoleAssignment(subscription, seededId(tenantId, "reader"), readerRole);
  });
  const tokens = await Tokens.open(tenantId, store, clock);
  const issuerKeys = issuerKeysOver(options.trustedCaPem);
  const signIns = newSignIns(clock);
  const feed = new VirtualMachineFeed(subscription);
  const armPipeline = opened.use(new ArmPipeline(subscription, providerFront, logger));
  // The provider is registered for disposal after the pipeline, so the provider is disposed first. Its disposal cancels the
  // provider calls for which deployments wait.
  if (provider) opened.use(provider);
  armPipeline.start();
  const stop = new AbortController();
  const requests = options.logRequests ? new RequestLog() : undefined;
  const publicUrl = options.publicUrl?.replace(/\/+$/, "");
  let url = publicUrl ?? "";
  const server = createServer(options.tls, clock, logger, (request, reply) =>
    handleRequest(
      {
        subscription,
        entra: {
          tenantId,
          directory,
          tokens,
          subscription,
          issuerKeys,
          clock,
          signIns,
        },
        feed,
        armPipeline,
        adminToken: options.adminToken,
        publicUrl,
        ownUrl: () => url,
        clock,
        logger,
        requestLog: requests,
        unloggedReader: options.unloggedReader,
        signal: stop.signal,
      },
      request,
      reply,
    ),
  );
  opened.defer(() => server.close());
  opened.defer(() => stop.abort());
  opened.defer(() => armPipeline.stop());
  await store.durable();
  await server.listen({ host: options.host, port: options.port });
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  url = publicUrl ?? `https://${options.host}:${port}`;
  const zones = new ZoneIndex(subscription);
  const proxy =
    options.proxy &&
    opened.use(
      await startForwardProxy(
        options.proxy,
        {
          serve: (socket) => void server.server.emit("secureConnection", socket),
          serveMetadata: (request, response) => void server.server.emit("request", request, response),
          routeTo(address, port) {
            const route = routeToMachine(subscription, address, port);
            return route && { machine: { id: route.machine.id }, port: route.port };
          },
          isApiServer: (name) => clusterDomainOf(zones, name) !== undefined,
        },
        logger,
      ),
    );
  const dns = options.dns && opened.use(await startDnsServer(options.dns, subscription, logger));
  const running = opened.move();
  return {
    url,
    port,
    proxyPort: proxy?.port,
    dnsPort: dns?.port,
    change: (settings) => store.transaction(() => void subscription.settings.change(asJson(settings))),
    advance: (ms) => void advance(subscription, ms),
    inventory: () => inventoryOf(subscription),
    faults: () => subscription.faults.list(),
    requests,
    vaultExpiries: () => vaultExpiries(store),
    objectIdOf: (name) => (directory.find(name) ?? directory.findUserByName(name))?.objectId,
    async refusalOf(token, audiences) {
      const principal = await tokens.verify(token, audiences);
      return "message" in principal ? principal.message : undefined;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function stateOf(state: SimulatedAzureOptions["state"]): OpenedState | Promise<OpenedState> {
  switch (state.kind) {
    case "memory":
      return openedState(Store.inMemory(), new BlobFiles());
    case "file":
      return openState(state.path);
    case "opened":
      return state.opened;
  }
}
