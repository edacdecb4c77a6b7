import type { Readable } from "node:stream";
import type { Output } from "../containers/command.ts";

/** Standard streams of a command. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
}

export const discard: Output = () => undefined;

/** Returns a function that writes to a stream and waits while the reader is slow. Ignores a closed reader. */
export function writerTo(stream: NodeJS.WritableStream & { readonly destroyed?: boolean }): Output {
  return (chunk) => {
    if (stream.destroyed || !stream.writable || stream.write(chunk)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.once("drain", resolve);
    stream.once("close", resolve);
    return promise;
  };
}
