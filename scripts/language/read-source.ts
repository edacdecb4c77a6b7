import { markdownPassages } from "./markdown-passages.ts";
import { withoutReservedBreaks } from "./passage.ts";
import { pythonPassages } from "./python-passages.ts";
import { shellPassages } from "./shell-passages.ts";
import type { SourceText } from "./source-text.ts";
import { readTypescript } from "./typescript-text.ts";

/** Reads a file with the parser for its file extension. Files without a known extension are shell scripts. */
export function readSource(path: string, content: string): SourceText {
  const source = withoutReservedBreaks(content);
  if (/\.(?:ts|tsx|mjs)$/.test(path)) return readTypescript(path, source);
  if (path.endsWith(".md")) return { passages: markdownPassages(source), identifiers: [] };
  if (path.endsWith(".py")) return { passages: pythonPassages(source), identifiers: [] };
  return { passages: shellPassages(source), identifiers: [] };
}
