import type { Duplex } from "node:stream";

/** Connects two streams in both directions. When one stream closes or fails, the other stream is closed. */
export function connectStreams(first: Duplex, second: Duplex): void {
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const) {
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
}
