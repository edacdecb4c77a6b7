import type { Clock } from "@keelson/base";

export interface RecordingHeader {
  readonly width: number;
  readonly height: number;
  /** Executed command. Undefined for a login shell. */
  readonly command?: string | undefined;
}

/** Maximum length of a recording in characters. Further output is dropped. */
const maxLength = 512 * 1_024;

/** Records the output of a channel as an asciicast (version 2). The recording has a header, and one line per output or resize. */
export class TerminalRecording {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #lines: string[] = [];
  readonly #decoder = new TextDecoder();
  #length = 0;
  #truncated = false;

  constructor({ width, height, command }: RecordingHeader, clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
    const timestamp = Math.floor(clock.now().getTime() / 1_000);
    this.#add({ version: 2, width, height, timestamp, ...(command === undefined ? {} : { command }) });
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  output(bytes: Buffer): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text !== "") this.#event("o", text);
  }

  resized(width: number, height: number): void {
    this.#event("r", `${width}x${height}`);
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  #event(kind: "o" | "r", data: string): void {
    this.#add([Math.round(this.#clock.monotonicMs() - this.#startMs) / 1_000, kind, data]);
  }

  #add(value: unknown): void {
    if (this.#truncated) return;
    const line = JSON.stringify(value);
    if (this.#length + line.length > maxLength) {
      this.#truncated = true;
      return;
    }
    this.#length += line.length + 1;
    this.#lines.push(line);
  }
}
