/**
 * Finds words in code and documents for which the field has a usual one. Until none is left, each package may
 * have as many as `words-left.json` allows. `--list [PATH]` prints all findings, `--lower` lowers the numbers.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { bannedWords, exemptions } from "./banned-words.ts";
import type { SourceFile } from "./check-imports.ts";

export interface WordFinding {
  readonly path: string;
  readonly line: number;
  readonly word: string;
  readonly usual: string;
}

const allowanceFile = "scripts/words-left.json";
const patterns = [
  "{cmd,services,operators,libraries,simulators,clients}/*/src/**/*.ts",
  "{cmd,services,operators,libraries,simulators,clients}/*/README.md",
  "{api,bench,tests,cmd,services,operators,libraries,simulators,clients}/**/README.md",
  "{docs,design}/**/*.md",
  "{README,CONTRIBUTING,SECURITY}.md",
];
const testFile = /\.(test|client-test)\.ts$|\/testing\//;

/** The findings of a file, its name included (as line 0). */
export function findWords({ path, text }: SourceFile): WordFinding[] {
  const exempt = exemptions.filter((each) => each.path === path);
  return [path, ...text.split("\n")].flatMap((content, line) => {
    if (exempt.some((each) => content.includes(each.text))) return [];
    const words = splitIdentifiers(content);
    return bannedWords
      .filter(({ within }) => within === undefined || path.startsWith(within))
      .flatMap(({ pattern, usual, kind }) =>
        [...(kind === "identifier" ? content : words).matchAll(pattern)].map(([word]) => ({
          path,
          line,
          word,
          usual,
        })),
      );
  });
}

/** `keepHouse` and `KEEP_HOUSE` as the words that they consist of. */
function splitIdentifiers(content: string): string {
  return content.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}

/** The package of a file, `libraries/base`; its top folder or its name where it is in none. */
export function packageOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return /^(cmd|services|operators|libraries|simulators|clients)$/.test(top) && !second.endsWith(".md")
    ? `${top}/${second}`
    : top;
}

/** Compares the findings with what is allowed: `over` fails the check, `under` may be lowered. */
export function compareWords(findings: readonly WordFinding[], allowed: Readonly<Record<string, number>>) {
  const found = Map.groupBy(findings, ({ path }) => packageOf(path));
  const names = [...new Set([...found.keys(), ...Object.keys(allowed)])].sort();
  const counts = names.map((name) => ({
    name,
    findings: found.get(name) ?? [],
    allowed: allowed[name] ?? 0,
  }));
  return {
    over: counts.filter((each) => each.findings.length > each.allowed),
    under: counts.filter((each) => each.findings.length < each.allowed),
  };
}

/** Product code and documents below the working directory. */
export function readSources(): SourceFile[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern)))]
    .filter((path) => !testFile.test(path) && !path.includes("node_modules"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

export function readAllowed(): Record<string, number> {
  return JSON.parse(readFileSync(allowanceFile, "utf8"));
}

function format({ path, line, word, usual }: WordFinding): string {
  return line === 0 ? `${path}: file name: "${word}": ${usual}` : `${path}:${line}: "${word}": ${usual}`;
}

function lower(findings: readonly WordFinding[], allowed: Readonly<Record<string, number>>): void {
  const found = Map.groupBy(findings, ({ path }) => packageOf(path));
  const left = Object.entries(allowed)
    .map(([name, count]) => [name, Math.min(count, found.get(name)?.length ?? 0)] as const)
    .filter(([, count]) => count > 0);
  writeFileSync(allowanceFile, `${JSON.stringify(Object.fromEntries(left), undefined, 2)}\n`);
}

if (import.meta.main) {
  process.chdir(new URL("..", import.meta.url).pathname);
  const [mode, path = ""] = process.argv.slice(2);
  const findings = readSources().flatMap(findWords);
  const { over, under } = compareWords(findings, readAllowed());
  if (mode === "--list") {
    for (const each of findings.filter((one) => one.path.startsWith(path))) console.log(format(each));
  } else if (mode === "--lower") {
    lower(findings, readAllowed());
  } else {
    for (const each of over) {
      for (const finding of each.findings) console.error(format(finding));
      console.error(`${each.name}: ${each.findings.length} words to replace, ${each.allowed} allowed`);
    }
    if (under.length > 0) {
      const names = under.map((each) => `${each.name} (${each.findings.length})`).join(", ");
      console.log(`fewer words left than ${allowanceFile} allows, run check-words.ts --lower: ${names}`);
    }
    process.exitCode = over.length === 0 ? 0 : 1;
  }
}
