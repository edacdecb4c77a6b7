import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Connection that the client wants to use for a protocol other than HTTP. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes received after the request head. */
  readonly head: Buffer;
  /** Marks the connection as used by the other protocol. HTTP responses are no longer possible. */
  taken(): void;
}

const upgradePaths = /^[^?]*\/pods\/[^/?]+\/(?:exec|attach|portforward)(?:\?|$)/;

/** True for paths that support upgrades. Upgrade requests on other paths are ignored. */
export function mayUpgrade({ url = "" }: IncomingMessage): boolean {
  return upgradePaths.test(url);
}

/**
 * Creates the upgrade of a connection, with a response for its rejection. The connection closes after that
 * response.
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
