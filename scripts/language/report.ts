import { type Finding, type RuleName, ruleNames } from "./finding.ts";
import { maskCode } from "./masked-text.ts";
import type { Passage } from "./passage.ts";
import { readSource } from "./read-source.ts";
import { reportedWords } from "./reported-words.ts";
import { countWords } from "./sentences.ts";
import { packageOf } from "./source-files.ts";

type Kind = Passage["kind"];

const kinds: readonly Kind[] = ["comment", "string", "document"];

/** Counts words and reported words by kind of prose, and words by package. */
export class WordStatistics {
  readonly wordsByPackage = new Map<string, number>();
  readonly #words: Record<Kind, number> = { comment: 0, string: 0, document: 0 };
  readonly #occurrences = reportedWords.map(() => ({ comment: 0, string: 0, document: 0 }));

  add(path: string, content: string): void {
    for (const { kind, text } of readSource(path, content).passages) {
      const masked = maskCode(text);
      const words = countWords(masked);
      this.#words[kind] += words;
      this.wordsByPackage.set(packageOf(path), (this.wordsByPackage.get(packageOf(path)) ?? 0) + words);
      for (const [index, { pattern }] of reportedWords.entries()) {
        const counts = this.#occurrences[index];
        if (counts) counts[kind] += masked.match(pattern)?.length ?? 0;
      }
    }
  }

  /** Returns word counts and rates per 10,000 words, with a column for each kind of prose. */
  rows(): string[][] {
    const rates = reportedWords.map(({ name }, index) => [
      name,
      ...kinds.map((kind) => {
        const count = this.#occurrences[index]?.[kind] ?? 0;
        return ((count * 10_000) / Math.max(1, this.#words[kind])).toFixed(1);
      }),
    ]);
    return [
      ["per 10,000 words of", "comments", "strings", "documents"],
      ["words", ...kinds.map((kind) => `${this.#words[kind]}`)],
      ...rates,
    ];
  }
}

/** Number of findings by package and rule. Missing numbers are 0. */
type Counts = Readonly<Record<string, Readonly<Partial<Record<RuleName, number>>>>>;

export function countFindings(findings: readonly Finding[]): Counts {
  const counts: Record<string, Partial<Record<RuleName, number>>> = {};
  for (const { path, rule } of findings) {
    const ofPackage = counts[packageOf(path)] ?? {};
    counts[packageOf(path)] = { ...ofPackage, [rule]: (ofPackage[rule] ?? 0) + 1 };
  }
  return counts;
}

/** Formats the counts by package and rule with their sum, and the rates of reported words. */
export function formatReport(statistics: WordStatistics, counts: Counts): string {
  const packages = [...statistics.wordsByPackage].sort(([one], [other]) => (one < other ? -1 : 1));
  const numbers = packages.map(([name, words]) => ({
    name,
    columns: [words, ...ruleNames.map((rule) => counts[name]?.[rule] ?? 0)],
  }));
  const total = ["words", ...ruleNames].map((_, at) =>
    numbers.reduce((sum, { columns }) => sum + (columns[at] ?? 0), 0),
  );
  const rows = [
    ["package", "words", ...ruleNames],
    ...numbers.map(({ name, columns }) => [name, ...columns.map(String)]),
    ["total", ...total.map(String)],
  ];
  return `${formatTable(rows)}\n\n${formatTable(statistics.rows())}`;
}

/** Aligns the first column to the left and all other columns to the right. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
