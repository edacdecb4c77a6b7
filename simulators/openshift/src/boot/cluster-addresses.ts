import type { ApiServer } from "@keelson/apiserver";
import { type Logger, messageOf } from "@keelson/base";

/** Returns the API server address for a cluster domain. */
export type ClusterAddress = (domain: string) => string;

interface Listener {
  readonly listening: Promise<AsyncDisposable | undefined>;
  readonly clusters: Set<string>;
}

/** Additional API server addresses for individual clusters. Clusters can share an address because their host names differ. */
export class ClusterAddresses implements AsyncDisposable {
  readonly #apiServer: Pick<ApiServer, "listenAt">;
  readonly #addressOf: ClusterAddress;
  readonly #port: number | undefined;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Listener>();

  /** Default port: the port of the API server. */
  constructor(
    apiServer: Pick<ApiServer, "listenAt">,
    { addressOf, port }: { readonly addressOf: ClusterAddress; readonly port?: number | undefined },
    logger: Logger,
  ) {
    this.#apiServer = apiServer;
    this.#addressOf = addressOf;
    this.#port = port;
    this.#logger = logger;
  }

  add(cluster: string, domain: string): void {
    const address = this.#addressOf(domain);
    const listener = this.#listeners.get(address) ?? {
      listening: this.#listen(address),
      clusters: new Set(),
    };
    listener.clusters.add(cluster);
    this.#listeners.set(address, listener);
  }

  async remove(cluster: string): Promise<void> {
    for (const [address, { listening, clusters }] of this.#listeners) {
      if (!clusters.delete(cluster) || clusters.size > 0) continue;
      this.#listeners.delete(address);
      await (await listening)?.[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clusters = [...this.#listeners.values()].flatMap((listener) => [...listener.clusters]);
    for (const cluster of clusters) await this.remove(cluster);
  }

  async #listen(address: string): Promise<AsyncDisposable | undefined> {
    try {
      return await this.#apiServer.listenAt(address, this.#port);
    } catch (error) {
      this.#logger.error({ address, error: messageOf(error) }, "address of a cluster is unusable");
      return undefined;
    }
  }
}
