import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** A connection that its client wants to use for something else than HTTP. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What came after the request already. */
  readonly head: Buffer;
  /** Says that the connection is another protocol's now: no HTTP answer may go out any more. */
  taken(): void;
}

const upgradePaths = /^[^?]*\/pods\/[^/?]+\/(?:exec|attach|portforward)(?:\?|$)/;

/** Only these paths upgrade the connection; an upgrade asked for elsewhere is ignored. */
export function mayUpgrade({ url = "" }: IncomingMessage): boolean {
  return upgradePaths.test(url);
}

/** A request to upgrade with an answer for when that is refused, after which the connection closes. */
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
