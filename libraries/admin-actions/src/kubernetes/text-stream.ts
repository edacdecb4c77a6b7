/** Streamed text. Ending the iteration early stops the work behind it. */
export type TextStream = AsyncIterable<string | Uint8Array>;

/** Maximum size of a stream before it is truncated. */
export const outputLimitBytes = 1_048_576;
const outputLimitLabel = "1 MiB";

/** Truncates an output at 1 MiB and adds a line about it. The rest is dropped. */
export class OutputLimit {
  readonly #label: string;
  #left = outputLimitBytes;
  #cut = false;

  /** `label` is the output's name in that line. */
  constructor(label: string) {
    this.#label = label;
  }

  /** Returns the chunks to pass on instead of `bytes`. */
  admit(bytes: Uint8Array): readonly (string | Uint8Array)[] {
    if (this.#cut) return [];
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      return [bytes];
    }
    const admitted = bytes.subarray(0, this.#left);
    this.#left = 0;
    this.#cut = true;
    return [admitted, `\n[${this.#label} truncated at ${outputLimitLabel}]\n`];
  }
}
