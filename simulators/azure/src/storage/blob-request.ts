import type { FastifyRequest } from "fastify";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isOtherPath } from "./account-endpoints.ts";
import type { ReceivedContent } from "./blob-files.ts";
import type { BlobName } from "./blob-store.ts";

/** Parsed request to the blob service of an account. */
export interface BlobRequest {
  readonly method: string;
  readonly account: string;
  /** ARM resource of the account, if this subscription contains it. */
  readonly resource: ResourceRecord | undefined;
  /** Container name. Empty for requests to the account. */
  readonly container: string;
  /** Blob name. Empty for requests to a container. */
  readonly blob: string;
  /** Unmodified path, because signatures are computed from the path as the client sent it. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** XML body. Empty for operations that have no XML body. */
  readonly body: string;
  /** Received content of operations that write a blob or block. */
  readonly content: ReceivedContent | undefined;
}

/** Parses a request. @param segments account, container and blob */
export function readBlobRequest(
  subscription: Subscription,
  segments: readonly string[],
  query: URLSearchParams,
  request: FastifyRequest,
): BlobRequest {
  const [account = "", container = "", ...name] = segments;
  return {
    method: request.method === "HEAD" ? "HEAD" : request.method,
    account: account.toLowerCase(),
    resource: accountNamed(subscription, account),
    container,
    blob: name.join("/"),
    rawPath: (request.originalUrl || "/").split("?", 1)[0] ?? "/",
    query,
    headers: textHeaders(request),
    body: "",
    content: undefined,
  };
}

export function nameOf({ account, container, blob }: BlobRequest): BlobName {
  return { account, container, name: blob };
}

function accountNamed(subscription: Subscription, name: string): ResourceRecord | undefined {
  return subscription.resources.lookedUp("Microsoft.Storage/storageAccounts", name)[0];
}

/**
 * True if a request to the listener's own host is a request to the blob service. The path has the form that Azure Storage
 * emulators use.
 */
export function isBlobRequest(
  subscription: Subscription,
  segments: readonly string[],
  query: URLSearchParams,
  request: FastifyRequest,
): boolean {
  const [account = ""] = segments;
  const isStorage = request.headers["x-ms-version"] !== undefined || query.has("sv");
  return isStorage && !isOtherPath(account) && accountNamed(subscription, account) !== undefined;
}

/** Returns the request headers as the client sent them, because signatures are computed from them. */
function textHeaders({ raw: { rawHeaders } }: FastifyRequest): Readonly<Record<string, string>> {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""]] : [],
  );
  return Object.fromEntries(pairs);
}
