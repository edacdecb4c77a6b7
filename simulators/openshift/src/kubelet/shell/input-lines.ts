import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import type { CommandIo } from "../containers/command.ts";

/** Maximum line length in characters. The limit exists because the matching of a line cannot be interrupted. */
const maxLineLength = 256 * 1_024;
/** Milliseconds of CPU time before the command yields to the event loop. */
const turnMs = 5;

/** Line of a file without its line break. */
interface InputLine {
  readonly text: string;
  /** File name. `-` is standard input. */
  readonly file: string;
}

/**
 * Yields the lines of the files in order. Without files, reads standard input. Unreadable files are skipped and reported through
 * `missing`.
 */
export async function* inputLines(
  io: Pick<CommandIo, "files" | "directory" | "stdin" | "signal">,
  names: readonly string[],
  missing: (name: string, why: string) => Promise<void> | void,
): AsyncGenerator<InputLine, void, undefined> {
  let turnStartMs = performance.now();
  for (const file of names.length > 0 ? names : ["-"]) {
    try {
      const source =
        file === "-"
          ? io.stdin
          : createReadStream(await io.files.resolve(io.files.absolute(file, io.directory)));
      for await (const text of linesIn(source)) {
        if (performance.now() - turnStartMs > turnMs) {
          await setImmediate();
          io.signal.throwIfAborted();
          turnStartMs = performance.now();
        }
        yield { text, file };
      }
    } catch (error) {
      const why = reasonOf(error);
      if (why === undefined) throw error;
      await missing(file, why);
    }
  }
}

/** Returns the message of C programs for an unreadable file. `undefined` for other errors. */
function reasonOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "No such file or directory";
  return code === "EISDIR" ? "Is a directory" : undefined;
}

async function* linesIn(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of source) {
    const text = rest + decoder.write(Buffer.from(chunk));
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      yield bounded(text.slice(start, end));
      start = end + 1;
    }
    rest = bounded(text.slice(start));
  }
  rest += decoder.end();
  if (rest !== "") yield bounded(rest);
}

function bounded(line: string): string {
  if (line.length > maxLineLength) throw new Error("a line is too long");
  return line;
}
