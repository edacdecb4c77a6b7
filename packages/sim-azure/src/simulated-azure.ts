import type { Clock, KeyPair, Logger, Secret } from "@keelson/base";
import { Operations } from "./arm/operations.ts";
import { Registry } from "./arm/registry.ts";
import { completeGroupDeletion } from "./arm/resource-groups.ts";
import { completeOperation } from "./arm/resource-service.ts";
import { Resources } from "./arm/resources.ts";
import { defaultTimings, type Timings } from "./arm/timings.ts";
import type { World } from "./arm/world.ts";
import { seedBuiltInRoles } from "./authorization/role-definitions.ts";
import { Directory, digestOf, guidOf } from "./entra/directory.ts";
import { Tokens } from "./entra/tokens.ts";
import { handleRequest } from "./http/handler.ts";
import { createServer } from "./http/server.ts";
import { VirtualMachineFeed } from "./hypervisor/virtual-machine-feed.ts";
import { resourceTypes } from "./resource-types.ts";
import { openSqliteJournal } from "./store/journal.ts";
import { Store } from "./store/store.ts";

/** An application that exists from the start. */
export interface SimulatedPrincipal {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly displayName: string;
}

export interface SimulatedAzureOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The start of links in answers, where clients come by another name; else the host that each client called. */
  readonly publicUrl?: string;
  readonly tls: KeyPair;
  /** `file` keeps the world in one SQLite file, which one process may have open. */
  readonly state: { readonly kind: "memory" } | { readonly kind: "file"; readonly path: string };
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Short names, such as `eastus`. */
  readonly locations: readonly string[];
  readonly principals: readonly SimulatedPrincipal[];
  /** Opens `/sim/...`, the hypervisor's side. */
  readonly adminToken: Secret;
  readonly timings?: Partial<Timings>;
  /** Rows of a list before `nextLink`; 1,000 when absent. */
  readonly pageSize?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SimulatedAzure extends AsyncDisposable {
  /** `https://host:port`: the ARM endpoint, the authority host and the start of the hypervisor's paths. */
  readonly url: string;
  readonly port: number;
  /** The object ID of a principal: the `principalId` of its role assignments. */
  objectIdOf(clientId: string): string | undefined;
}

/** Azure Resource Manager and Entra ID on one HTTPS listener. Operations of an earlier life go on where they were. */
export async function startSimulatedAzure(options: SimulatedAzureOptions): Promise<SimulatedAzure> {
  const { clock, logger, tenantId, subscriptionId, locations } = options;
  await using opened = new AsyncDisposableStack();
  const store = new Store(options.state.kind === "file" ? openSqliteJournal(options.state.path) : undefined);
  opened.defer(() => store.close());
  const registry = new Registry(resourceTypes);
  const operations = opened.use(new Operations({ store, clock, logger }));
  const world: World = {
    tenantId,
    subscriptionId,
    locations,
    clock,
    timings: { ...defaultTimings, ...options.timings },
    pageSize: options.pageSize ?? 1_000,
    store,
    registry,
    groups: store.table("resourceGroup"),
    resources: new Resources(store, registry),
    operations,
  };
  const directory = new Directory(store);
  store.transaction(() => {
    seedBuiltInRoles(world);
    for (const principal of options.principals) registerPrincipal(directory, tenantId, principal);
  });
  const tokens = await Tokens.open(tenantId, store, clock);
  const feed = new VirtualMachineFeed(world);
  operations.start((operation) =>
    operation.kind === "deleteGroup"
      ? completeGroupDeletion(world, operation)
      : completeOperation(world, operation),
  );
  const stop = new AbortController();
  const server = createServer(options.tls, logger, (request, reply) =>
    handleRequest(
      {
        world,
        entra: { tenantId, directory, tokens, clock },
        feed,
        adminToken: options.adminToken,
        publicUrl: options.publicUrl?.replace(/\/+$/, ""),
        clock,
        logger,
        signal: stop.signal,
      },
      request,
      reply,
    ),
  );
  opened.defer(() => server.close());
  opened.defer(() => stop.abort());
  await store.durable();
  await server.listen({ host: options.host, port: options.port });
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  const running = opened.move();
  return {
    url: options.publicUrl ?? `https://${options.host}:${port}`,
    port,
    objectIdOf: (clientId) => directory.find(clientId)?.objectId,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function registerPrincipal(directory: Directory, tenantId: string, principal: SimulatedPrincipal): void {
  const { clientId, displayName, clientSecret } = principal;
  const existing = directory.find(clientId);
  const others = existing?.passwords.filter(({ keyId }) => keyId !== "configured") ?? [];
  directory.put({
    clientId,
    displayName,
    objectId: existing?.objectId ?? guidOf(`${tenantId}/${clientId}`),
    passwords: [{ keyId: "configured", digest: digestOf(clientSecret) }, ...others],
  });
}
