import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import type { ListenerRequest, PeerAddress } from "@keelson/http";
import type { ClusterEndpoint } from "./cluster-endpoints.ts";
import { requestHeaders } from "./forwarded-headers.ts";

/** What all requests have. */
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

/** Sends a request on with its body. */
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

/** Asks for an upgrade. Such a request has no body: what follows it belongs to the new protocol. */
export async function sendUpgrade(
  request: IncomingMessage,
  destination: Destination,
): Promise<ClientRequest> {
  const { upgrade = "" } = request.headers;
  const upstream = await begin(request, destination, { connection: "Upgrade", upgrade });
  return upstream.end();
}

/**
 * The headers that say where a body ends; none where there is no body. Without them the bytes of a body would be a request of its own
 * on the cluster's connection, which nothing has checked.
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

/** Over HTTP/1.1 a body is announced; over HTTP/2 a request without one ends with its headers. */
function hasNoBody({ httpVersionMajor, headers, stream }: ListenerRequest): boolean {
  if (httpVersionMajor < 2)
    return headers["transfer-encoding"] === undefined && headers["content-length"] === undefined;
  return stream.endAfterHeaders;
}

export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once("response", resolve).once("error", reject));
}

/** Its answer, and where it is an upgrade the connection with what came behind its head. */
export function upgradeOf(
  request: ClientRequest,
): Promise<readonly [IncomingMessage, Duplex | undefined, Buffer]> {
  return new Promise((resolve, reject) =>
    request
      .once("upgrade", (answer, socket, head) => resolve([answer, socket, head]))
      .once("response", (answer) => resolve([answer, undefined, Buffer.alloc(0)]))
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
  // A second one, after that which was answered, must not end the process.
  return upstream.on("error", () => undefined);
}
