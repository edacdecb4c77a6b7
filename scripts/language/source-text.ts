import type { Passage } from "./passage.ts";

/** Identifier, private identifier with `#`, or static member access such as `AbortSignal.timeout`. */
export interface Identifier {
  readonly name: string;
  readonly start: number;
}

export interface SourceText {
  /** Comments, prose strings and paragraphs. */
  readonly passages: readonly Passage[];
  /** Identifiers in TypeScript files. Empty for other languages. */
  readonly identifiers: readonly Identifier[];
}
