import type { Passage } from "./passage.ts";

/** Identifier, private identifier with its `#`, or static member access as `AbortSignal.timeout`. */
export interface Identifier {
  readonly name: string;
  readonly start: number;
}

export interface SourceText {
  /** Comments, prose strings and paragraphs. */
  readonly passages: readonly Passage[];
  /** Identifiers of TypeScript. */
  readonly identifiers: readonly Identifier[];
}
