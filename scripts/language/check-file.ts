import { type Exemption, exemptions } from "./exemptions.ts";
import { type Finding, isOnLine } from "./finding.ts";
import { identifierRemedy, isProductCode } from "./identifiers.ts";
import { LineIndex } from "./line-index.ts";
import { maskCode } from "./masked-text.ts";
import { type Passage, softBreak } from "./passage.ts";
import { readSource } from "./read-source.ts";
import { splitSentences } from "./sentences.ts";
import type { Identifier } from "./source-text.ts";
import { anyWord, wordRules } from "./words.ts";

/** Maximum number of words in a sentence. The guide recommends at most 25. */
const maximumWords = 30;

/** Matches a forbidden first word of a comment. Acronyms such as AS are allowed. */
const firstWord =
  /^[\s"'“(*_]*([Ww](?:hat|hether|hich|hom?|here|hy)|[Hh]ow|[Oo]f|[Bb]y|[Aa]s|[Ff](?:or|rom)|[Ii]n|[Uu]ntil|[Bb]eside)(?![\w-])/;

/** Returns the findings of a file, sorted by line. */
export function checkFile(
  path: string,
  content: string,
  exempt: readonly Exemption[] = exemptions,
): Finding[] {
  const { passages, identifiers } = readSource(path, content);
  const findings = passages.flatMap((passage) => checkPassage(path, passage));
  if (isProductCode(path)) findings.push(...checkNames(path, content, identifiers));
  const texts = exempt.filter((each) => each.path === path).map(({ text }) => text);
  return withoutExempt(findings, content, texts).sort((a, b) => a.line - b.line);
}

function checkPassage(path: string, passage: Passage): Finding[] {
  const masked = maskCode(passage.text);
  const lines = new LineIndex(passage.text.replaceAll(softBreak, "\n"));
  const lineOf = (offset: number) => passage.line + lines.lineAt(offset) - 1;
  const finding = (rule: Finding["rule"], start: number, end: number, remedy: string): Finding => ({
    path,
    line: lineOf(start),
    endLine: lineOf(end),
    rule,
    text: passage.text.slice(start, end),
    remedy,
  });
  const findings: Finding[] = [];
  const first = passage.kind === "comment" ? firstWord.exec(masked) : null;
  if (first) {
    const [{ length: end }, word = ""] = first;
    const quoteEnd = end + (/^.{0,60}(?!\S)/.exec(passage.text.slice(end))?.[0].length ?? 0);
    findings.push(
      finding("first-word", end - word.length, quoteEnd, "begin with a noun phrase or a third-person verb"),
    );
  }
  for (const { start, end, words } of splitSentences(masked)) {
    if (words > maximumWords) {
      findings.push(
        finding("sentence-length", start, end, `${words} words; split it, at most 25 words each`),
      );
    }
  }
  for (const { rule, pattern, remedy } of anyWord.test(masked) ? wordRules : []) {
    for (const { 0: found, index } of masked.matchAll(pattern)) {
      findings.push(finding(rule, index, index + found.length, remedy));
    }
  }
  return findings;
}

function checkNames(path: string, content: string, identifiers: readonly Identifier[]): Finding[] {
  const fileNames = path.replace(/\.\w+$/, "").split("/");
  const names = [...fileNames.map((name) => ({ name, start: 0 })), ...identifiers];
  const wrong = names.flatMap(({ name, start }) => {
    const remedy = identifierRemedy(name, path);
    return remedy === undefined ? [] : [{ name, start, remedy }];
  });
  if (wrong.length === 0) return [];
  const lines = new LineIndex(content);
  return wrong.map(({ name, start, remedy }) => {
    const line = lines.lineAt(start);
    return { path, line, endLine: line, rule: "identifier", text: name, remedy };
  });
}

function withoutExempt(findings: Finding[], content: string, texts: readonly string[]): Finding[] {
  if (texts.length === 0) return findings;
  const lines = content.split("\n");
  const isExempt = (line: number) => texts.some((text) => lines[line - 1]?.includes(text));
  return findings.filter((finding) => !isOnLine(finding, isExempt));
}
