import { Agent } from "node:https";
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import {
  type Container,
  CosmosClient,
  type CosmosClientOptions,
  type JSONObject,
  type OperationInput,
  type OperationResponse,
  type SqlQuerySpec,
} from "@azure/cosmos";
import { type Clock, Secret } from "@keelson/base";
import type { WriteGate } from "../drivers/write-gate.ts";
import { ServerClock } from "./server-clock.ts";
import { statusOf, translate } from "./unavailable.ts";

export type TokenCredential = NonNullable<CosmosClientOptions["aadCredentials"]>;

export interface CosmosAddress {
  /** Account URL, for example `https://account.documents.azure.com`. */
  readonly endpoint: string;
  readonly databaseName: string;
  /** Key of the account, or an identity that can read and write its data. */
  readonly credential: Secret | TokenCredential;
  /** CA certificates (PEM) to trust. Default: public CAs. */
  readonly caPem?: string;
}

/** Result of a conditional write. */
export type WriteOutcome =
  | { readonly kind: "written"; readonly etag: string }
  | { readonly kind: "exists" | "changed" | "absent" };

const requestTimeoutMs = 30_000;

/** ID of the item that write probes replace. */
const probeId = "write-probe";

/** Maximum number of retries of throttled requests. The service specifies the delays. */
const throttledAttempts = 9;
const throttledSeconds = 30;

/**
 * Client of the two Cosmos DB containers. Failures that are not caused by the request are thrown as `StoreUnavailable`. After an
 * abort, an active write may or may not have been applied.
 */
export class CosmosConnection implements AsyncDisposable {
  readonly clock: ServerClock;
  readonly endpoint: string;
  readonly #databaseName: string;
  readonly #options: CosmosClientOptions;
  readonly #agent: Agent | undefined;
  #client: CosmosClient;
  #probeClient: CosmosClient | undefined;
  #gate: WriteGate | undefined;
  #usage = noUsage;
  #closed = false;

  constructor({ endpoint, databaseName, credential, caPem }: CosmosAddress, clock: Clock) {
    this.endpoint = endpoint;
    this.clock = new ServerClock(clock);
    this.#databaseName = databaseName;
    this.#agent = caPem === undefined ? undefined : new Agent({ keepAlive: true, ca: caPem });
    this.#options = {
      endpoint,
      ...(credential instanceof Secret ? { key: credential.reveal() } : { aadCredentials: credential }),
      ...(this.#agent ? { agent: this.#agent } : {}),
      httpClient: observed(createDefaultHttpClient(), this.clock, clock, this.#count),
      connectionPolicy: {
        requestTimeout: requestTimeoutMs,
        useMultipleWriteLocations: false,
        // Disabled, because this failover would repeat a write that may already have been applied.
        enablePartitionLevelFailover: false,
        retryOptions: {
          maxRetryAttemptCount: throttledAttempts,
          fixedRetryIntervalInMilliseconds: 0,
          maxWaitTimeInSeconds: throttledSeconds,
        },
      },
      userAgentSuffix: "keelson",
    };
    this.#client = new CosmosClient(this.#options);
  }

  get client(): CosmosClient {
    return this.#client;
  }

  /** Container of documents, heads and removals. Its partition key is the partition key of the document. */
  get documents(): Container {
    return this.#container("documents");
  }

  /** Container of unique value reservations and of the layout version. Its partition key is the item ID. */
  get control(): Container {
    return this.#container("control");
  }

  #container(id: string): Container {
    return this.#client.database(this.#databaseName).container(id);
  }

  async read<T>(
    container: Container,
    partitionKey: string,
    id: string,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const response = await this.send(signal, () =>
      container.item(id, partitionKey).read<JSONObject>({ abortSignal: signal }),
    );
    // The cast is safe, because the ID of an item determines its type.
    return response.resource as T | undefined;
  }

  create(container: Container, item: object, signal: AbortSignal): Promise<WriteOutcome> {
    return this.#write(signal, () => container.items.create(item, { abortSignal: signal }));
  }

  /** Replaces an item if its version is `etag`. */
  replace(
    container: Container,
    partitionKey: string,
    item: { readonly id: string },
    etag: string,
    signal: AbortSignal,
  ): Promise<WriteOutcome> {
    const options = { abortSignal: signal, accessCondition: { type: "IfMatch", condition: etag } };
    return this.#write(signal, () => container.item(item.id, partitionKey).replace(item, options));
  }

  delete(
    container: Container,
    partitionKey: string,
    id: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<WriteOutcome> {
    const options = { abortSignal: signal, accessCondition: { type: "IfMatch", condition: etag } };
    return this.#write(signal, () => container.item(id, partitionKey).delete(options));
  }

  /** Rejects writes while `gate` is blocked. */
  useGate(gate: WriteGate): void {
    this.#gate = gate;
  }

  /** Writes one small item without retries, also while writes are blocked. @throws errors of the SDK */
  async probe(signal: AbortSignal): Promise<void> {
    const { connectionPolicy } = this.#options;
    this.#probeClient ??= new CosmosClient({
      ...this.#options,
      connectionPolicy: {
        ...connectionPolicy,
        // Disabled, because the SDK would retry a refused write for minutes to find a different region. The default endpoint is
        // the write region.
        enableEndpointDiscovery: false,
        retryOptions: {
          maxRetryAttemptCount: 0,
          fixedRetryIntervalInMilliseconds: 0,
          maxWaitTimeInSeconds: 0,
        },
      },
    });
    const { items } = this.#probeClient.database(this.#databaseName).container("control");
    await items.upsert({ id: probeId, kind: "probe" }, { abortSignal: signal });
  }

  /** Executes all operations or none. If an operation fails, the results identify this operation. */
  async batch(
    partitionKey: string,
    operations: readonly OperationInput[],
    signal: AbortSignal,
  ): Promise<readonly OperationResponse[]> {
    const response = await this.#guarded(() =>
      this.send(signal, () =>
        this.documents.items.batch([...operations], partitionKey, { abortSignal: signal }),
      ),
    );
    return response.result ?? [];
  }

  /** Returns all results of a query. Without a partition key, the query reads every physical partition. */
  async query<T>(
    container: Container,
    query: SqlQuerySpec,
    partitionKey: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    const everywhere = { forceQueryPlan: true, maxDegreeOfParallelism: -1 };
    const scope = partitionKey === undefined ? everywhere : { partitionKey };
    const options = { ...scope, abortSignal: signal, maxItemCount: 1_000 };
    return this.send(signal, async () => {
      for (let attempt = 1; ; attempt++) {
        const client = this.#client;
        try {
          const { items } = this.#container(container.id);
          return (await items.query<T>(query, { ...options }).fetchAll()).resources;
        } catch (error) {
          if (statusOf(error) !== partitionsSplit || attempt === splitAttempts) throw error;
          if (client === this.#client) this.#replaceClient();
        }
      }
    });
  }

  /**
   * Replaces the client, because a new client reads the list of partitions again. In-flight requests finish on the old client.
   */
  #replaceClient(): void {
    this.#client.dispose();
    this.#client = new CosmosClient(this.#options);
  }

  /** Sends a request. @throws StoreUnavailable, InvalidWrite, and SDK errors for rejected requests */
  async send<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      throw translate(error, this.endpoint);
    }
  }

  /** Returns the usage since the last call. */
  takeUsage(): Usage {
    const usage = this.#usage;
    this.#usage = noUsage;
    return usage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#client.dispose();
    this.#probeClient?.dispose();
    this.#agent?.destroy();
  }

  readonly #count = (status: number, units: number): void => {
    const { requests, throttled, requestUnits } = this.#usage;
    const refused = status === 429 ? 1 : 0;
    this.#usage = {
      requests: requests + 1,
      throttled: throttled + refused,
      requestUnits: requestUnits + units,
    };
  };

  #guarded<T>(write: () => Promise<T>): Promise<T> {
    return this.#gate ? this.#gate.guard(write) : write();
  }

  async #write(
    signal: AbortSignal,
    request: () => Promise<{ readonly etag: string }>,
  ): Promise<WriteOutcome> {
    try {
      const { etag } = await this.#guarded(() => this.send(signal, request));
      return { kind: "written", etag };
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return { kind: "absent" };
      if (status === 409) return { kind: "exists" };
      if (status === 412) return { kind: "changed" };
      throw error;
    }
  }
}

/** Request units used since the previous call. */
export interface Usage {
  readonly requests: number;
  /** Number of throttled requests. The SDK retries them. */
  readonly throttled: number;
  readonly requestUnits: number;
}

const noUsage: Usage = { requests: 0, throttled: 0, requestUnits: 0 };

/** Maximum number of partition splits during one query. */
const splitAttempts = 5;

const gone = 410;
const partitionsSplit = "PartitionsSplit";

/**
 * Wraps the fetch function. The wrapper passes the dates of all responses to the clock and counts request units. After a
 * partition split, the SDK (4.10) retries queries of the old partition forever without a delay. The wrapper therefore converts
 * the response to such a query to an error. The SDK's change feed detects the new partitions itself.
 */
function observed(
  client: HttpClient,
  serverClock: ServerClock,
  clock: Clock,
  count: (status: number, requestUnits: number) => void,
): HttpClient {
  return {
    async sendRequest(request) {
      const sentMs = clock.monotonicMs();
      const response = await client.sendRequest(request);
      const date = response.headers.get("date");
      if (date !== undefined) serverClock.observe(date, sentMs, clock.monotonicMs());
      count(response.status, Number(response.headers.get("x-ms-request-charge") ?? 0));
      if (response.status === gone && request.headers.get("x-ms-documentdb-isquery") === "true") {
        throw Object.assign(new Error("the partitions were split"), { code: partitionsSplit });
      }
      return response;
    },
  };
}
