import { blankCode, listItem } from "./comment-blocks.ts";
import type { Passage } from "./passage.ts";

/** Returns the paragraphs, headings, list items and table cells of a Markdown document. */
export function markdownPassages(source: string): Passage[] {
  const passages: Passage[] = [];
  /** Current paragraph with its first line number. */
  let paragraph: { readonly line: number; readonly lines: string[] } | undefined;
  const finish = () => {
    if (paragraph)
      passages.push({ kind: "document", line: paragraph.line, text: paragraph.lines.join("\n") });
    paragraph = undefined;
  };
  const lines = blankCode(withoutLinkTargets(source).split("\n"));
  for (const [index, content] of lines.entries()) {
    const line = index + 1;
    const text = content.replace(/^\s*(?:>\s?)+/, "");
    const isCell = text.trimStart().startsWith("|");
    const isHeading = /^\s*#{1,6}\s/.test(text);
    if (text.trim() === "" || isCell || isHeading || listItem.test(text)) finish();
    if (isCell) passages.push(...cells(line, text));
    else if (text.trim() !== "") {
      paragraph ??= { line, lines: [] };
      paragraph.lines.push(text);
      if (isHeading) finish();
    }
  }
  finish();
  return passages;
}

/** Returns the cells of a table row. An escaped `|` does not separate cells. */
function cells(line: number, row: string): Passage[] {
  return row
    .split(/(?<!\\)\|/)
    .filter((cell) => /\p{L}/u.test(cell))
    .map((text) => ({ kind: "document", line, text }));
}

/** Removes link targets, link definitions, HTML tags and HTML comments. Keeps line breaks. */
function withoutLinkTargets(source: string): string {
  return withoutComments(source)
    .replaceAll(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"\n]*")?\)/g, "]")
    .replaceAll(/^[ \t]*\[[^\]\n]+\]:[ \t]+\S.*$/gm, "")
    .replaceAll(/<\/?[a-z][^<>\n]*>/gi, " ");
}

function withoutComments(source: string): string {
  let kept = "";
  let from = 0;
  for (let start = source.indexOf("<!--"); start >= 0; start = source.indexOf("<!--", from)) {
    const end = source.indexOf("-->", start);
    if (end < 0) break;
    kept += source.slice(from, start) + "\n".repeat(source.slice(start, end).split("\n").length - 1);
    from = end + 3;
  }
  return kept + source.slice(from);
}
