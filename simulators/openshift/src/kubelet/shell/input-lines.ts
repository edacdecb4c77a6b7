import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import type { CommandIo } from "./command.ts";

/** Longer lines are refused: patterns run over a whole line at once. */
const maxLineLength = 256 * 1_024;
/** So long a command works before others get their turn. */
const turnMs = 5;

/** A line of a file without its end. */
export interface InputLine {
  readonly text: string;
  /** False for a last line that has no end. */
  readonly ended: boolean;
  /** `-` is standard input. */
  readonly file: string;
  /** Whether the file begins with it. */
  readonly first: boolean;
}

/** Lets others work whenever a command has worked for some milliseconds. @throws the reason of an aborted signal */
export class Turn {
  #since = performance.now();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether `pass` would wait: asked without a promise, in loops. */
  get isOver(): boolean {
    return performance.now() - this.#since > turnMs;
  }

  async pass(): Promise<void> {
    if (!this.isOver) return;
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#since = performance.now();
  }
}

/**
 * The lines of files one after the other, or of standard input where there are none, as they come in. A file that
 * cannot be read is reported by `missing`, and the next one goes on.
 */
export async function* inputLines(
  io: Pick<CommandIo, "files" | "folder" | "stdin" | "signal">,
  names: readonly string[],
  missing: (name: string, why: string) => Promise<void> | void,
): AsyncGenerator<InputLine, void, undefined> {
  const turn = new Turn(io.signal);
  for (const file of names.length > 0 ? names : ["-"]) {
    let first = true;
    try {
      const source =
        file === "-"
          ? io.stdin
          : createReadStream(await io.files.resolve(io.files.absolute(file, io.folder)));
      for await (const line of linesIn(source)) {
        await turn.pass();
        yield { ...line, file, first };
        first = false;
      }
    } catch (error) {
      const why = reasonOf(error);
      if (why === undefined) throw error;
      await missing(file, why);
    }
  }
}

/** What C programs say of a file that cannot be read; `undefined` for what is no matter of the file. */
function reasonOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "No such file or directory";
  return code === "EISDIR" ? "Is a directory" : undefined;
}

async function* linesIn(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Omit<InputLine, "file" | "first">, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of source) {
    const text = rest + decoder.write(Buffer.from(chunk));
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      yield { text: bounded(text.slice(start, end)), ended: true };
      start = end + 1;
    }
    rest = bounded(text.slice(start));
  }
  rest += decoder.end();
  if (rest !== "") yield { text: bounded(rest), ended: false };
}

function bounded(line: string): string {
  if (line.length > maxLineLength) throw new Error("a line is too long");
  return line;
}
