import headless from "@xterm/headless";
import { type Cast, sizeIn } from "./cast.ts";

type Terminal = InstanceType<typeof headless.Terminal>;

/** Lines above the screen that are kept. */
const scrollback = 20_000;

/** What a terminal shows at a time of a recording: a real terminal, without a picture of its own, reads what was shown. */
export class Screen {
  readonly #cast: Cast;
  #terminal: Terminal | undefined;
  /** Events that the terminal has read. */
  #position = 0;
  #shown: Promise<unknown> = Promise.resolve();

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  /** The lines of the screen and above it once `seconds` have passed. */
  linesAt(seconds: number): Promise<readonly string[]> {
    const lines = this.#shown.then(() => this.#linesAt(seconds));
    this.#shown = lines.catch(() => undefined);
    return lines;
  }

  dispose(): void {
    this.#terminal?.dispose();
    this.#terminal = undefined;
  }

  async #linesAt(seconds: number): Promise<readonly string[]> {
    const { events } = this.#cast;
    const end = events.findLastIndex((event) => event.seconds <= seconds) + 1;
    if (!this.#terminal || end < this.#position) this.#restart();
    const terminal = this.#terminal;
    if (!terminal) return [];
    for (const { kind, data } of events.slice(this.#position, end)) {
      if (kind === "o") await new Promise<void>((resolve) => terminal.write(data, resolve));
      else {
        const { columns, rows } = sizeIn(data);
        terminal.resize(columns, rows);
      }
    }
    this.#position = end;
    return linesOf(terminal);
  }

  #restart(): void {
    this.dispose();
    const { columns: cols, rows } = this.#cast;
    this.#terminal = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true });
    this.#position = 0;
  }
}

function linesOf({ buffer: { active } }: Terminal): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < active.length; at++) {
    const line = active.getLine(at);
    const text = line?.translateToString(true) ?? "";
    // One line that was wider than the terminal.
    if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop() ?? ""}${text}`);
    else lines.push(text);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
