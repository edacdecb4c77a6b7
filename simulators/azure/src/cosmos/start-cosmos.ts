import { randomUUID } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type Clock, type KeyPair, type Logger, messageOf, type Secret, startTimeLimit } from "@keelson/base";
import { extendReceiveLimits, keepAliveTimeoutMs, listen } from "@keelson/http";
import { Account, type AccountOptions } from "./account.ts";
import { addressOf } from "./address.ts";
import { authorize } from "./authorization.ts";
import type { Item } from "./container.ts";
import { badRequest, CosmosError, tooLarge, tooManyRequests } from "./errors/cosmos-error.ts";
import type { CosmosResponse } from "./exchange.ts";

export interface SimulatedCosmosOptions {
  readonly host: string;
  /** Port to listen on. 0 selects a free port. */
  readonly port: number;
  /**
   * Server certificate and key. Clients send tokens only over HTTPS. Default: plain HTTP, which the official emulator also
   * supports.
   */
  readonly tls?: KeyPair;
  /** Account key in base64. */
  readonly key: Secret;
  /**
   * Returns the rejection reason of a token, or `undefined` for a valid token. The token's audience must be the account URL that
   * the client used. Default: only the account key is accepted.
   */
  readonly verifyToken?: (token: string, url: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly physicalPartitions?: number;
  readonly consistency?: AccountOptions["consistency"];
  readonly multipleWriteRegions?: boolean;
}

/** Properties of a request by which a fault is selected for the request. */
export interface SimulatedCall {
  readonly method: string;
  readonly path: string;
  readonly isBatch: boolean;
  /** True for a query or a request for a query plan. Clients send both with POST. */
  readonly isQuery: boolean;
}

/** Fault injected into a request. */
export type Fault =
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  | { readonly kind: "unavailable" }
  /** Rejects the request with the error that Azure returns for writes in a read-only region. */
  | { readonly kind: "write-forbidden" }
  /** Delays the processing of the request until the promise resolves. */
  | { readonly kind: "held"; readonly until: Promise<unknown> }
  /** Closes the connection without a response, either before or after the request is processed. */
  | { readonly kind: "cut"; readonly when: "before" | "after" };

export interface SimulatedCosmos extends AsyncDisposable {
  /** Account endpoint. */
  readonly url: string;
  /** Sets the function that selects each request's fault. `undefined` disables faults. */
  injectFaults(faultFor: ((call: SimulatedCall) => Fault | undefined) | undefined): void;
  /**
   * Edits all items of all containers directly. `change` returns the new item, or `undefined` to delete the item. `_ts` is stored
   * as returned, so that tests can age items.
   */
  editItems(change: (item: Item) => Item | undefined): void;
  /**
   * Splits every physical partition in two, as Azure does for growing partitions. Clients must then reload the list of ranges.
   */
  splitPartitions(): void;
}

const bodyLimit = 4 * 1024 * 1024;
/** Maximum time in ms for which the rest of a body is discarded after an early response. */
const discardMs = 1_000;

/** Starts an in-memory Azure Cosmos DB for NoSQL account. The official SDKs can use it. */
export async function startSimulatedCosmos(options: SimulatedCosmosOptions): Promise<SimulatedCosmos> {
  const { host, tls, clock, logger } = options;
  const account = new Account({
    clock,
    physicalPartitions: options.physicalPartitions ?? 2,
    consistency: options.consistency ?? "Session",
    multipleWriteRegions: options.multipleWriteRegions ?? false,
  });
  let faultFor: Parameters<SimulatedCosmos["injectFaults"]>[0];
  const scheme = tls ? "https" : "http";
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const call: SimulatedCall = {
      method: incoming.method ?? "GET",
      path: new URL(incoming.url ?? "/", "http://localhost").pathname,
      isBatch: incoming.headers["x-ms-cosmos-is-batch-request"] !== undefined,
      isQuery: incoming.headers["content-type"] === "application/query+json",
    };
    const fault = faultFor?.(call);
    if (fault?.kind === "held") await fault.until;
    const isCut = fault?.kind === "cut";
    if (!isCut || fault.when === "after") {
      const response = await responseTo(call, incoming, fault);
      if (!isCut) await send(incoming, outgoing, response, clock);
    }
    if (isCut) incoming.socket.destroy();
  };
  const responseTo = async (
    call: SimulatedCall,
    incoming: IncomingMessage,
    fault: Fault | undefined,
  ): Promise<CosmosResponse> => {
    try {
      if (fault?.kind === "throttled") throw tooManyRequests(fault.retryAfterMs);
      if (fault?.kind === "unavailable")
        throw new CosmosError(503, "ServiceUnavailable", "The service is unavailable.");
      if (fault?.kind === "write-forbidden")
        throw new CosmosError(
          403,
          "Forbidden",
          "The requested operation cannot be performed at this region.",
          {
            substatus: 3,
          },
        );
      const address = addressOf(call.path);
      const header = (name: string) => {
        const value = incoming.headers[name];
        return typeof value === "string" ? value : undefined;
      };
      const calledUrl = `${scheme}://${header("host") ?? ""}`;
      const caller = await authorize(options, { method: call.method, address, header, url: calledUrl });
      const body = parsed(await bodyOf(incoming));
      return account.response({ method: call.method, address, header, body, caller }, calledUrl);
    } catch (error) {
      if (error instanceof CosmosError) return refused(error);
      logger.error({ ...call, error: messageOf(error) }, "request failed");
      return refused(new CosmosError(500, "InternalServerError", "Unknown server error occurred."));
    }
  };
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      logger.debug({ reason: messageOf(error) }, "a caller went away");
      incoming.socket.destroy();
    });
  };
  const server = tls
    ? createHttpsServer({ key: tls.privateKeyPem, cert: tls.certificatePem }, listener)
    : createHttpServer(listener);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  extendReceiveLimits(server);
  const port = await listen(server, host, options.port);
  return {
    url: `${scheme}://${host}:${port}`,
    injectFaults(next) {
      faultFor = next;
    },
    editItems: (change) => account.editItems(change),
    splitPartitions: () => account.splitPartitions(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the request body. @throws CosmosError 413 as soon as the limit is exceeded */
async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > bodyLimit) throw tooLarge("Request size is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("The request payload is invalid: it is not JSON.");
  }
}

function refused({ status, code, message, substatus, headers }: CosmosError): CosmosResponse {
  return {
    status,
    headers: { ...headers, ...(substatus === undefined ? {} : { "x-ms-substatus": String(substatus) }) },
    body: { code, message, ...(substatus === 1004 ? { additionalErrorInfo: code } : {}) },
  };
}

/**
 * Sends the response. If the request body is not complete, closes the connection after the response, because the unread body would
 * block the connection. Before that, reads and discards the body, because a client that fails to write loses the response.
 */
async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: CosmosResponse,
  clock: Clock,
): Promise<void> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const isEarly = !incoming.complete;
  outgoing.writeHead(status, {
    ...(isEarly ? { connection: "close", "content-length": Buffer.byteLength(text) } : {}),
    "content-type": "application/json",
    date: clock.now().toUTCString(),
    "x-ms-activity-id": randomUUID(),
    "x-ms-request-charge": String(charge(status, text)),
    ...headers,
  });
  if (isEarly) {
    outgoing.write(text);
    await discardBody(incoming);
  }
  outgoing.end(isEarly ? undefined : text);
}

/** Reads and discards the rest of a request body until its end, until the client closes the connection, or for `discardMs`. */
async function discardBody(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _ = startTimeLimit(discardMs, resolve);
  incoming.once("close", resolve).once("end", resolve).resume();
  await promise;
}

/** Returns the approximate number of request units for a response: one, plus one per complete KB. Zero for throttled requests. */
function charge(status: number, text: string): number {
  return status === 429 ? 0 : 1 + Math.floor(text.length / 1_024);
}
