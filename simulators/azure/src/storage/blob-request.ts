import type { FastifyRequest } from "fastify";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isOtherPath } from "./account-endpoints.ts";
import type { ReceivedContent } from "./blob-files.ts";
import type { BlobName } from "./blob-store.ts";

/** Parsed request to an account's blobs. */
export interface BlobRequest {
  readonly method: string;
  readonly account: string;
  /** Resource of the account, if this subscription has it. */
  readonly resource: ResourceRecord | undefined;
  /** Empty for requests to the account. */
  readonly container: string;
  /** Empty for requests to a container. */
  readonly blob: string;
  /** Path as sent, which signatures cover. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of operations with XML. */
  readonly body: string;
  /** Content of operations that write a blob or block. */
  readonly content: ReceivedContent | undefined;
}

/** @param segments account, container and blob */
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

/** True if a request to the listener's host is for an account's blobs, as in emulators of Azure Storage. */
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

/** Headers as sent, without additions, because signatures cover them. */
function textHeaders({ raw: { rawHeaders } }: FastifyRequest): Readonly<Record<string, string>> {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""]] : [],
  );
  return Object.fromEntries(pairs);
}
