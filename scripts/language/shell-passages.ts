import { type Comment, commentPassages } from "./comment-blocks.ts";
import type { Passage } from "./passage.ts";
import { stringPassages, templateValue } from "./prose-strings.ts";

/** Returns the comments, here-documents and quoted prose in a shell script. */
export function shellPassages(source: string): Passage[] {
  const comments: Comment[] = [];
  const passages: Passage[] = [];
  /** Delimiter of the current here-document. */
  let hereDocument: string | undefined;
  for (const [index, content] of source.split("\n").entries()) {
    const line = index + 1;
    if (hereDocument !== undefined) {
      if (content.trim() === hereDocument) hereDocument = undefined;
      else passages.push(...stringPassages(line, withoutExpansions(content)));
      continue;
    }
    const { code, comment } = splitComment(content);
    if (comment !== undefined) {
      comments.push({ line, text: comment.replace(/^#+ ?/, ""), joinable: code.trim() === "" });
    }
    for (const [, double, single] of code.matchAll(/\\.|"((?:\\.|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)/g)) {
      passages.push(...stringPassages(line, withoutExpansions(double ?? single ?? "")));
    }
    hereDocument = /<<-?\s*(["']?)(\w+)\1/.exec(code)?.[2];
  }
  return [...commentPassages(comments), ...passages];
}

/** Splits a line into code and comment. A comment starts with `#` at the start of a word outside quotes. */
function splitComment(line: string): { readonly code: string; readonly comment?: string } {
  for (const { 0: found, index } of line.matchAll(
    /\\.|"(?:\\.|[^"\\])*(?:"|$)|'[^']*(?:'|$)|(?<![^\s;])#.*/g,
  )) {
    if (found.startsWith("#")) return { code: line.slice(0, index), comment: found };
  }
  return { code: line };
}

function withoutExpansions(text: string): string {
  return text.replaceAll(/\$\{[^{}]*\}|\$\([^()]*\)|\$[\w@*#?]+/g, templateValue);
}
