import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Connection that the client wants to upgrade to a protocol other than HTTP. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes that were received after the request's head. */
  readonly head: Buffer;
  /** Marks the connection as upgraded. HTTP responses are then impossible. */
  taken(): void;
}

const upgradePaths = /^[^?]*\/pods\/[^/?]+\/(?:exec|attach|portforward)(?:\?|$)/;

/** True for paths that support protocol upgrades. Other paths ignore upgrade requests. */
export function mayUpgrade({ url = "" }: IncomingMessage): boolean {
  return upgradePaths.test(url);
}

/**
 * Returns the upgrade of a connection, and an HTTP response for the case that the server rejects the upgrade. The connection
 * closes after this response.
 */
export function upgradeOf(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): { readonly upgrade: Upgrade; readonly response: ServerResponse } {
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(incoming.socket);
  const close = () => incoming.socket.destroySoon();
  response.once("finish", close);
  socket.on("error", () => undefined);
  const taken = () => {
    response.off("finish", close);
    response.detachSocket(incoming.socket);
  };
  return { upgrade: { socket, head, taken }, response };
}
