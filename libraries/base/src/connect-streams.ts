import type { Duplex } from "node:stream";

/** Connects two streams in both directions until one of them closes or fails, which closes the second one. */
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
