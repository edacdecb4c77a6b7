import headless from "@xterm/headless";
import { type Cast, sizeIn } from "./cast.ts";

type Terminal = InstanceType<typeof headless.Terminal>;

/** Maximum number of lines that have scrolled out of the screen and are kept. */
const scrollback = 20_000;

/** Final characters of control sequences (CSI) with a repeat count: REP, SU, SD, IL, DL, CHT and CBT. */
const repeating = ["b", "S", "T", "L", "M", "I", "Z"];
/**
 * Maximum number of repetitions in a recording. Control sequences above this limit are ignored, because a sequence of twelve
 * characters can request billions of repetitions.
 */
const mostRepetitions = 1_000_000;
/** Number of characters in one write. The page can respond to the user only between two writes. */
const pieceLength = 512;

/** Screen of a terminal at any time of a recording. A headless terminal processes the recorded output. */
export class Screen {
  readonly #cast: Cast;
  #terminal: Terminal | undefined;
  /** Number of events that were processed. */
  #position = 0;
  #shown: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  /** Returns the lines of the screen and its scrollback at the time `seconds` of the recording. */
  linesAt(seconds: number): Promise<readonly string[]> {
    const lines = this.#shown.then(() => this.#linesAt(seconds));
    this.#shown = lines.catch(() => undefined);
    return lines;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#terminal?.dispose();
  }

  async #linesAt(seconds: number): Promise<readonly string[]> {
    const { events } = this.#cast;
    const end = events.findLastIndex((event) => event.seconds <= seconds) + 1;
    if (!this.#terminal || end < this.#position) this.#restart();
    const terminal = this.#terminal;
    if (!terminal) return [];
    for (let at = this.#position; at < end && !this.#isDisposed; at++) {
      const event = events[at];
      if (event?.kind === "o") await write(terminal, event.data);
      // The terminal wraps all lines again at each resize, which is slow. If several resizes follow each other, only the last is
      // applied.
      else if (event && (at + 1 === end || events[at + 1]?.kind === "o")) {
        const { columns, rows } = sizeIn(event.data);
        terminal.resize(columns, rows);
      }
    }
    this.#position = end;
    return this.#isDisposed ? [] : linesOf(terminal);
  }

  #restart(): void {
    this.#terminal?.dispose();
    const { columns: cols, rows } = this.#cast;
    const terminal = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true });
    limitRepetitions(terminal);
    this.#terminal = terminal;
    this.#position = 0;
  }
}

function write(terminal: Terminal, data: string): Promise<void> {
  for (let at = 0; at < data.length; at += pieceLength) terminal.write(data.slice(at, at + pieceLength));
  return new Promise((resolve) => terminal.write("", resolve));
}

function limitRepetitions({ parser }: Terminal): void {
  let left = mostRepetitions;
  for (const final of repeating) {
    parser.registerCsiHandler({ final }, ([times]) => {
      const wanted = Number(times) || 1;
      const isIgnored = wanted > left;
      if (!isIgnored) left -= wanted;
      return isIgnored;
    });
  }
}

function linesOf({ buffer: { active } }: Terminal): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < active.length; at++) {
    const line = active.getLine(at);
    const text = line?.translateToString(true) ?? "";
    // This line continues the previous line, which was wider than the terminal.
    if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop() ?? ""}${text}`);
    else lines.push(text);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
