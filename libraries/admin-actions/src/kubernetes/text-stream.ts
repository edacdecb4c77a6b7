/** Text as it comes to be. Ending the iteration early ends the work behind it. */
export type TextStream = AsyncIterable<string | Uint8Array>;

/** What a stream may hold before it is cut off. */
export const outputLimitBytes = 1_048_576;
const outputLimitLabel = "1 MiB";

/** Cuts one output off at 1 MiB, with a line that says so; what comes after it is dropped. */
export class OutputLimit {
  readonly #label: string;
  #left = outputLimitBytes;
  #cut = false;

  /** `label` is what the line calls the output. */
  constructor(label: string) {
    this.#label = label;
  }

  /** The pieces to pass on in place of `bytes`. */
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
