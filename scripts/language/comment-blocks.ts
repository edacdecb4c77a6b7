import type { Passage } from "./passage.ts";

/** Comment without its markers. */
export interface Comment {
  readonly line: number;
  readonly text: string;
  /** True if the comment is a line comment without code before it. Such comments on consecutive lines form one passage. */
  readonly joinable: boolean;
}

/** Matches tool directives and license headers. */
const directive =
  /^\s*(?:!|biome-ignore|@ts-|ts-|eslint|prettier-ignore|[#@]__PURE__|<reference\b|c8 ignore|node:coverage|copyright|licensed|spdx-|noqa|type:|pragma:|pylint|mypy|ruff|shellcheck|fmt:|-\*-)/i;

/** Converts comments to passages. Joins line comments on consecutive lines, blanks code examples and drops directives. */
export function commentPassages(comments: Iterable<Comment>): Passage[] {
  const blocks: { line: number; lines: string[]; joinable: boolean }[] = [];
  for (const { line, text, joinable } of comments) {
    if (directive.test(text)) continue;
    const last = blocks.at(-1);
    if (joinable && last?.joinable && last.line + last.lines.length === line) last.lines.push(text);
    else blocks.push({ line, lines: text.split("\n"), joinable });
  }
  return blocks
    .map(({ line, lines }): Passage => ({ kind: "comment", line, text: blankCode(lines).join("\n") }))
    .filter(({ text }) => text.trim() !== "");
}

/** Returns the content of a block comment without the asterisks at the start of each line. */
export function blockCommentText(value: string): string {
  return value.replaceAll(/^[ \t]*\*+ ?/gm, "");
}

/** Replaces the lines of fenced and indented code with empty lines. */
export function blankCode(lines: readonly string[]): readonly string[] {
  let fence: string | undefined;
  let afterBlank = false;
  let inList = false;
  return lines.map((line) => {
    const marker = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence)) fence = undefined;
      return "";
    }
    fence = marker;
    const isCode = afterBlank && !inList && /^(?: {4}|\t)/.test(line);
    if (marker !== undefined || isCode || line.trim() === "") {
      afterBlank = true;
      return "";
    }
    if (listItem.test(line)) inList = true;
    else if (afterBlank && !/^\s/.test(line)) inList = false;
    afterBlank = false;
    return line;
  });
}

/** Matches the start of a Markdown list item. */
export const listItem = /^[ \t]*(?:[-*+•]|\d+[.)])[ \t]/;
