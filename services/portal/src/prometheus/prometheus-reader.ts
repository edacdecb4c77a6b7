import { prometheusReader } from "@keelson/aro-api";
import { type Clock, timeLimit, untilAborted } from "@keelson/base";
import { isKubeNotFound, type KubeClient, KubeError, type ServiceAccountToken } from "@keelson/kube";
import { portalErrors } from "../errors/portal-errors.ts";

export interface PrometheusReaderOptions {
  /** Client with the service's credentials. It is used only to request tokens. */
  readonly service: KubeClient;
  /** Creates a client of the same cluster with a token. */
  readonly connect: (token: ServiceAccountToken["token"]) => KubeClient;
  readonly clock: Clock;
}

/** Token lifetime in seconds. It is the minimum that API servers accept. */
const tokenSeconds = 600;
/**
 * Time in ms before a token's expiry. Within this time, the token is no longer used, because clocks may differ and queries take
 * time.
 */
const marginMs = 120_000;
const requestMs = 15_000;

interface Current {
  readonly kube: KubeClient;
  readonly untilMs: number;
}

/**
 * Reads one cluster's Prometheus with a service account that has only the necessary permissions. Its tokens expire after ten
 * minutes. Disposal closes the connections.
 */
export class PrometheusReader implements AsyncDisposable {
  readonly #options: PrometheusReaderOptions;
  #current: Promise<Current> | undefined;
  /** Previous client, which may still have requests in flight. */
  #previous: KubeClient | undefined;

  constructor(options: PrometheusReaderOptions) {
    this.#options = options;
  }

  /**
   * Calls `ask` with a client. If the cluster rejects the client's token, for example after the service account was recreated,
   * requests a new token and calls `ask` once more.
   */
  async use<T>(ask: (kube: KubeClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    const first = await this.#client(signal);
    try {
      return await ask(first);
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 401) throw error;
      this.#current = undefined;
      return ask(await this.#client(signal));
    }
  }

  async #client(signal: AbortSignal): Promise<KubeClient> {
    const nowMs = this.#options.clock.now().getTime();
    const known = this.#current && (await untilAborted(this.#current, signal));
    if (known && nowMs < known.untilMs) return known.kube;
    // A concurrent request may already have started the renewal.
    if (this.#current === undefined || known) this.#current = this.#renew(known?.kube);
    return (await untilAborted(this.#current, signal)).kube;
  }

  async #renew(replaced: KubeClient | undefined): Promise<Current> {
    const { service, connect } = this.#options;
    try {
      const { token, expires } = await service.requestToken(
        prometheusReader,
        tokenSeconds,
        timeLimit(requestMs),
      );
      void this.#previous?.[Symbol.asyncDispose]();
      this.#previous = replaced;
      return { kube: connect(token), untilMs: expires.getTime() - marginMs };
    } catch (cause) {
      this.#current = undefined;
      if (!isKubeNotFound(cause)) throw cause;
      const { namespace, name } = prometheusReader;
      throw portalErrors.AccessNotReady(
        `The cluster has no service account ${namespace}/${name} yet, by which the portal reads its Prometheus: an install ` +
          "and the maintenance task OperatorUpdate create it.",
        { cause },
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const current = await this.#current?.catch(() => undefined);
    this.#current = undefined;
    await Promise.all([this.#previous?.[Symbol.asyncDispose](), current?.kube[Symbol.asyncDispose]()]);
  }
}
