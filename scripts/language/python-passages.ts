import { type Comment, commentPassages } from "./comment-blocks.ts";
import { decodeEscapes } from "./escape-sequences.ts";
import { isLineStart, LineIndex } from "./line-index.ts";
import { countBreaks, type Passage, softBreak } from "./passage.ts";
import { stringPassages, templateValue } from "./prose-strings.ts";

/** Matches a comment, the start of a string with its prefix, a bracket or other code. */
const token = /#[^\n]*|(?<![\w])([rbfut]{0,2})("""|'''|"|')|[([{]|[)\]}]|[^\s#"'()[\]{}]+/gi;

/** String literal without its quotes. Adjacent literals form one string. */
interface Literal {
  readonly start: number;
  end: number;
  text: string;
  readonly isDocstring: boolean;
}

/** Returns the comments, docstrings and prose strings of a Python file. */
export function pythonPassages(source: string): Passage[] {
  const lines = new LineIndex(source);
  const comments: Comment[] = [];
  const literals: Literal[] = [];
  let depth = 0;
  /** End offset of the last token that is not a comment. */
  let lastEnd = 0;
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const { 0: found, 1: prefix = "", 2: quotes, index } = match;
    const startsLine = isLineStart(source, index);
    if (found.startsWith("#")) {
      comments.push({ line: lines.lineAt(index), text: found.replace(/^#+:? ?/, ""), joinable: startsLine });
      continue;
    }
    if (quotes === undefined) {
      if (/[([{]/.test(found)) depth++;
      else if (/[)\]}]/.test(found)) depth = Math.max(0, depth - 1);
      lastEnd = index + found.length;
      continue;
    }
    const start = index + found.length;
    const end = closingQuotes(source, start, quotes);
    const text = contentOf(source.slice(start, end), prefix);
    const last = literals.at(-1);
    if (last && last.end === lastEnd && depth > 0) {
      last.text += softBreak.repeat(countBreaks(source.slice(last.end, start))) + text;
      last.end = end + quotes.length;
    } else {
      literals.push({ start, end: end + quotes.length, text, isDocstring: startsLine && depth === 0 });
    }
    lastEnd = end + quotes.length;
    token.lastIndex = lastEnd;
  }
  return [...commentPassages([...comments, ...docstrings(literals, lines)]), ...strings(literals, lines)];
}

function docstrings(literals: readonly Literal[], lines: LineIndex): Comment[] {
  return literals
    .filter(({ isDocstring }) => isDocstring)
    .map(({ start, text }) => ({ line: lines.lineAt(start), text: dedent(text), joinable: false }));
}

function strings(literals: readonly Literal[], lines: LineIndex): Passage[] {
  return literals
    .filter(({ isDocstring }) => !isDocstring)
    .flatMap(({ start, text }) => stringPassages(lines.lineAt(start), text));
}

/** Returns the offset of a string's closing quotes. If the quotes are missing, returns the end of the line or file. */
function closingQuotes(source: string, start: number, quotes: string): number {
  const closing = quotes.length === 3 ? /\\.|"""|'''/gs : /\\.|["'\n]/g;
  closing.lastIndex = start;
  for (let match = closing.exec(source); match !== null; match = closing.exec(source)) {
    if (match[0] === quotes || match[0] === "\n") return match.index;
  }
  return source.length;
}

function contentOf(raw: string, prefix: string): string {
  const text = /r/i.test(prefix) ? raw : decodeEscapes(raw);
  return /[ft]/i.test(prefix) ? text.replaceAll(/\{[^{}\n]*\}/g, templateValue) : text;
}

/** Removes the indentation of all lines except the first. */
function dedent(text: string): string {
  const [first = "", ...others] = text.split("\n");
  const indentation = others
    .filter((line) => line.trim() !== "")
    .reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY);
  return [first, ...others.map((line) => line.slice(indentation))].join("\n");
}
