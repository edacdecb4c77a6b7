import type { KeyPair, Secret } from "@keelson/base";
import { type Application, Directory, digestOf, guidOf } from "./entra/directory.ts";
import { Tokens } from "./entra/tokens.ts";
import { handleRequest } from "./http/handler.ts";
import { createServer } from "./http/server.ts";
import { VirtualMachineFeed } from "./hypervisor/virtual-machine-feed.ts";
import { openWorld, type WorldOptions } from "./open-world.ts";
import { openSqliteJournal } from "./store/journal.ts";
import { Store } from "./store/store.ts";

/** An application that exists from the start. */
export interface SimulatedPrincipal {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly displayName: string;
}

export interface SimulatedAzureOptions extends WorldOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The start of links in answers, where clients come by another name; else the host that each client called. */
  readonly publicUrl?: string;
  readonly tls: KeyPair;
  /** `file` keeps the world in one SQLite file, which one process may have open. */
  readonly state: { readonly kind: "memory" } | { readonly kind: "file"; readonly path: string };
  readonly principals: readonly SimulatedPrincipal[];
  /**
   * An application that signs in for the first time exists from then on, with that secret. For worlds in which
   * nothing else makes applications.
   */
  readonly registerUnknownApplications?: boolean;
  /** Opens `/sim/...`, the hypervisor's side. */
  readonly adminToken: Secret;
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
  const { clock, logger, tenantId } = options;
  await using opened = new AsyncDisposableStack();
  const store = new Store(options.state.kind === "file" ? openSqliteJournal(options.state.path) : undefined);
  opened.defer(() => store.close());
  const world = openWorld(store, options);
  opened.use(world.operations);
  const directory = new Directory(store);
  store.transaction(() => {
    for (const principal of options.principals) registerPrincipal(directory, tenantId, principal);
  });
  const registerUnknown = (clientId: string, clientSecret: Secret) =>
    store.transaction(() =>
      registerPrincipal(directory, tenantId, { clientId, clientSecret, displayName: clientId }),
    );
  const tokens = await Tokens.open(tenantId, store, clock);
  const feed = new VirtualMachineFeed(world);
  const stop = new AbortController();
  const server = createServer(options.tls, logger, (request, reply) =>
    handleRequest(
      {
        world,
        entra: {
          tenantId,
          directory,
          tokens,
          clock,
          ...(options.registerUnknownApplications ? { registerUnknown } : {}),
        },
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

function registerPrincipal(
  directory: Directory,
  tenantId: string,
  principal: SimulatedPrincipal,
): Application {
  const { clientId, displayName, clientSecret } = principal;
  const existing = directory.find(clientId);
  const others = existing?.passwords.filter(({ keyId }) => keyId !== "configured") ?? [];
  const application = {
    clientId,
    displayName,
    objectId: existing?.objectId ?? guidOf(`${tenantId}/${clientId}`),
    passwords: [{ keyId: "configured", digest: digestOf(clientSecret) }, ...others],
  };
  directory.put(application);
  return application;
}
