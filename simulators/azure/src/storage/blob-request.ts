import type { FastifyRequest } from "fastify";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isOtherPath } from "./account-endpoints.ts";
import type { ReceivedContent } from "./blob-files.ts";
import type { BlobName } from "./blob-store.ts";

/** A request to an account's blobs, taken apart. */
export interface BlobRequest {
  readonly method: string;
  readonly account: string;
  /** The resource, of an account that there is in this subscription. */
  readonly resource: ResourceRecord | undefined;
  /** Empty for what concerns the whole account. */
  readonly container: string;
  /** Empty for what concerns a container. */
  readonly blob: string;
  /** As it stands on the wire: what signatures are over. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** XML, for the operations that take some. */
  readonly body: string;
  /** What a blob or block is to hold, for the operations that write one. */
  readonly content: ReceivedContent | undefined;
}

/** @param segments the account, then what of it */
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

/** Whether a request to the listener itself is for an account's blobs: emulators of Azure Storage have those there. */
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

/** As they came: signatures are over them, so that none may be added on the way here. */
function textHeaders({ raw: { rawHeaders } }: FastifyRequest): Readonly<Record<string, string>> {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""]] : [],
  );
  return Object.fromEntries(pairs);
}
