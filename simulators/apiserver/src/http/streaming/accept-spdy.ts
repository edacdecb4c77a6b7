import { failures, StatusError } from "@keelson/apimachinery";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { idleMs } from "./accept-web-socket.ts";
import { SpdySession, type SpdyStream } from "./spdy/session.ts";

export function wantsSpdy({ request }: ResourceRequest): boolean {
  return request.upgrade !== undefined && request.incoming.headers.upgrade?.toLowerCase() === "spdy/3.1";
}

/**
 * Returns the first offered stream protocol that the server supports.
 * @throws StatusError 403 without a common protocol
 */
export function streamProtocol({ request }: ResourceRequest, supported: readonly string[]): string {
  const header = request.incoming.headers["x-stream-protocol-version"] ?? "";
  const offered = (Array.isArray(header) ? header.join(",") : header)
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  // The oldest clients offer no protocol.
  if (offered.length === 0) return supported.at(-1) ?? "";
  const protocol = offered.find((each) => supported.includes(each));
  if (protocol) return protocol;
  throw new StatusError(
    403,
    "Forbidden",
    `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(" ")}], ` +
      `server accepts [${supported.join(" ")}]`,
  );
}

/** Upgrades the connection to SPDY. The session starts to read when `run` is called. */
export function acceptSpdy(
  { request }: ResourceRequest,
  protocol: string,
  accept: (stream: SpdyStream) => void,
): SpdySession {
  const { upgrade } = request;
  if (!upgrade) throw failures.badRequest("the request is not an upgrade request");
  const { socket, head } = upgrade;
  upgrade.taken();
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n" +
      `${protocol ? `X-Stream-Protocol-Version: ${protocol}\r\n` : ""}\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  request.incoming.socket.setTimeout(idleMs, () => socket.destroy());
  return new SpdySession(socket, accept);
}
