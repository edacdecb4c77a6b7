import { TLSSocket } from "node:tls";

/**
 * Replaces the time limit of all later TLS handshakes in this process. Listeners have a limit of 60 s, which is too long for a
 * test. Calls `expired` after the listener has handled an expired limit.
 */
export function limitHandshakes(ms: number, expired: () => void = () => undefined): void {
  const { setTimeout } = TLSSocket.prototype;
  // Node.js starts the limit of a handshake with this callback.
  const handleExpired: unknown = Reflect.get(TLSSocket.prototype, "_handleTimeout");
  TLSSocket.prototype.setTimeout = function (this: TLSSocket, limitMs: number, callback?: () => void) {
    const isHandshake = callback !== undefined && callback === handleExpired && limitMs > 0;
    Reflect.apply(setTimeout, this, [isHandshake ? ms : limitMs, callback]);
    if (isHandshake) this.once("timeout", expired);
    return this;
  };
}
