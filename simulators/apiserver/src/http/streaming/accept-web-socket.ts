import { failures } from "@keelson/apimachinery";
import { type WebSocket, WebSocketServer } from "ws";
import type { ResourceRequest } from "../resources/resource-request.ts";

/** A message above this closes the connection: clients send pieces of a few kilobytes. */
const maxMessageBytes = 4 * 1_024 * 1_024;
/** What is not read or written for so long is over, as kubelets have it. */
export const idleMs = 4 * 3_600_000;

/** Whether the client asks for a WebSocket (RFC 6455 section 4.2.1). */
export function wantsWebSocket({ request }: ResourceRequest): boolean {
  return request.upgrade !== undefined && request.incoming.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Finishes the handshake with the first protocol of `supported` that the client offers; without an offer, with none.
 * @throws StatusError 400 when it offers others only
 */
export async function acceptWebSocket(
  { request }: ResourceRequest,
  supported: readonly string[],
): Promise<{ readonly webSocket: WebSocket; readonly protocol: string }> {
  const { upgrade, incoming } = request;
  if (!upgrade) throw failures.badRequest("the request is no upgrade");
  const offered = (incoming.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const protocol = supported.find((each) => offered.includes(each)) ?? "";
  if (!protocol && offered.some((each) => each !== "")) {
    throw failures.badRequest(
      `none of the WebSocket protocols is known: ${offered.join(", ").slice(0, 200)}`,
    );
  }
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  // The protocol is settled here: the names of tunnels have a slash, which RFC 6455 does not know and ws refuses.
  delete incoming.headers["sec-websocket-protocol"];
  server.on("headers", (headers) => {
    if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  server.once("wsClientError", (error) => reject(failures.badRequest(error.message)));
  server.handleUpgrade(incoming, upgrade.socket, upgrade.head, resolve);
  const webSocket = await promise;
  upgrade.taken();
  // What breaks ends in "close", which those who use it listen to.
  webSocket.on("error", () => undefined);
  incoming.socket.setTimeout(idleMs, () => webSocket.terminate());
  return { webSocket, protocol };
}
