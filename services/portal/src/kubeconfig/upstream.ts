import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { isHttp2, type ListenerRequest, type PeerAddress } from "@keelson/http";
import type { ClusterEndpoint } from "./cluster-endpoints.ts";
import { requestHeaders } from "./forwarded-headers.ts";

/** Properties that all forwarded requests have, with or without a body. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: PeerAddress;
}

export interface Destination {
  readonly endpoint: ClusterEndpoint;
  /** Path and query for the API server. */
  readonly target: string;
}

/** Forwards a request with its body. */
export async function send(request: ListenerRequest, destination: Destination): Promise<ClientRequest> {
  const framing = bodyFraming(request.headers, !hasNoBody(request));
  const upstream = await begin(request, destination, framing);
  if (Object.keys(framing).length > 0) request.pipe(upstream);
  else {
    request.resume();
    upstream.end();
  }
  return upstream;
}

/** Forwards an upgrade request, which has no body. The bytes after its headers belong to the new protocol. */
export async function sendUpgrade(
  request: IncomingMessage,
  destination: Destination,
): Promise<ClientRequest> {
  const { upgrade = "" } = request.headers;
  const upstream = await begin(request, destination, { connection: "Upgrade", upgrade });
  return upstream.end();
}

/**
 * Returns the headers that frame the body. Empty if there is no body. Without these headers, the cluster could parse the body as
 * a further request that the portal has not checked.
 */
export function bodyFraming(
  headers: IncomingHttpHeaders,
  mayHaveBody: boolean,
): Readonly<Record<string, string>> {
  if (!mayHaveBody) return {};
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  if (encoding !== undefined || length === undefined) return { "transfer-encoding": "chunked" };
  return { "content-length": length };
}

/**
 * True if the request has no body. In HTTP/1.1, headers announce a body. In HTTP/2, a request without a body ends with its
 * headers.
 */
function hasNoBody(request: ListenerRequest): boolean {
  const { headers } = request;
  if (isHttp2(request)) return request.stream.endAfterHeaders;
  return headers["transfer-encoding"] === undefined && headers["content-length"] === undefined;
}

export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once("response", resolve).once("error", reject));
}

/** Waits for the response. For an upgrade, also returns the connection and the bytes that follow the response headers. */
export function upgradeOf(
  request: ClientRequest,
): Promise<readonly [IncomingMessage, Duplex | undefined, Buffer]> {
  return new Promise((resolve, reject) =>
    request
      .once("upgrade", (response, socket, head) => resolve([response, socket, head]))
      .once("response", (response) => resolve([response, undefined, Buffer.alloc(0)]))
      .once("error", reject),
  );
}

async function begin(
  { method = "GET", headers }: RequestHead,
  { endpoint, target }: Destination,
  more: Readonly<Record<string, string>>,
): Promise<ClientRequest> {
  const { origin, basePath, agent } = endpoint;
  const own = await endpoint.headers();
  const upstream = httpsRequest(`${origin}${basePath}${target}`, {
    method,
    agent,
    headers: { ...requestHeaders(headers), ...own, ...more },
  });
  // A second error may occur after the response. Without this listener, it would terminate the process.
  return upstream.on("error", () => undefined);
}
