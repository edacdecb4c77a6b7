import { failures } from "@keelson/apimachinery";
import { type WebSocket, WebSocketServer } from "ws";
import type { ResourceRequest } from "../resources/resource-request.ts";

/** Maximum message size in bytes. Larger messages close the connection. Clients send messages of a few kilobytes. */
const maxMessageBytes = 4 * 1_024 * 1_024;
/** Idle timeout of streaming connections in milliseconds, as in the kubelet. */
export const idleMs = 4 * 3_600_000;

/** True if the client requests a WebSocket (RFC 6455 section 4.2.1). */
export function wantsWebSocket({ request }: ResourceRequest): boolean {
  return request.upgrade !== undefined && request.incoming.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Completes the WebSocket handshake with the first offered protocol in `supported`. If the client offers no protocol, no protocol
 * is selected.
 * @throws StatusError 400 if the client offers only unsupported protocols
 */
export async function acceptWebSocket(
  { request }: ResourceRequest,
  supported: readonly string[],
): Promise<{ readonly webSocket: WebSocket; readonly protocol: string }> {
  const { upgrade, incoming } = request;
  if (!upgrade) throw failures.badRequest("the request is not an upgrade request");
  const offered = (incoming.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const protocol = supported.find((each) => offered.includes(each)) ?? "";
  if (!protocol && offered.some((each) => each !== "")) {
    throw failures.badRequest(`unsupported WebSocket protocols: ${offered.join(", ").slice(0, 200)}`);
  }
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  // This function negotiates the protocol, because the ws library rejects the names of tunnel protocols. These names contain a
  // slash, which RFC 6455 forbids.
  delete incoming.headers["sec-websocket-protocol"];
  server.on("headers", (headers) => {
    if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  server.once("wsClientError", (error) => reject(failures.badRequest(error.message)));
  server.handleUpgrade(incoming, upgrade.socket, upgrade.head, resolve);
  const webSocket = await promise;
  upgrade.taken();
  // Errors are ignored here, because the event "close" follows every error. All users of the socket handle "close".
  webSocket.on("error", () => undefined);
  incoming.socket.setTimeout(idleMs, () => webSocket.terminate());
  return { webSocket, protocol };
}
