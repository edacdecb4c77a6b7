/** Streamed text. If the reader stops before the end, the work that produces the text also stops. */
export type TextStream = AsyncIterable<string | Uint8Array>;

/** Maximum stream size in bytes. Longer streams are truncated. */
export const outputLimitBytes = 1_048_576;
const outputLimitLabel = "1 MiB";

/** Truncates an output at 1 MiB and appends a notice. The remaining output is dropped. */
export class OutputLimit {
  readonly #label: string;
  #left = outputLimitBytes;
  #cut = false;

  /** `label` is the name of the output in the notice. */
  constructor(label: string) {
    this.#label = label;
  }

  /** Returns the part of `bytes` that is still below the limit. The call that exceeds the limit also returns the notice. */
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
