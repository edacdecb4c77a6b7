import { markdownPassages } from "./markdown-passages.ts";
import { type Passage, withoutReservedBreaks } from "./passage.ts";
import { pythonPassages } from "./python-passages.ts";
import { shellPassages } from "./shell-passages.ts";
import { readTypescript } from "./typescript-text.ts";

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

/** Reads the language of a file by the ending of its path. A path without a known ending is a shell script. */
export function readSource(path: string, content: string): SourceText {
  const source = withoutReservedBreaks(content);
  if (/\.(?:ts|tsx|mjs)$/.test(path)) return readTypescript(path, source);
  if (path.endsWith(".md")) return { passages: markdownPassages(source), identifiers: [] };
  if (path.endsWith(".py")) return { passages: pythonPassages(source), identifiers: [] };
  return { passages: shellPassages(source), identifiers: [] };
}
