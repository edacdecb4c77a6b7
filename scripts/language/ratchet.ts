import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, type RuleName, ruleNames } from "./finding.ts";
import { UsageError } from "./options.ts";
import { packageOf } from "./source-files.ts";

/** Number of findings by package and rule. Missing numbers are 0. */
export type Counts = Readonly<Record<string, Readonly<Partial<Record<RuleName, number>>>>>;

/** Difference between a package's number of findings and the allowed number. */
export interface Difference {
  readonly package: string;
  readonly rule: RuleName;
  readonly found: number;
  readonly allowed: number;
}

export const ratchetFile = "scripts/language/ratchet.json";

export function countFindings(findings: readonly Finding[]): Counts {
  const counts: Record<string, Partial<Record<RuleName, number>>> = {};
  for (const { path, rule } of findings) {
    const name = packageOf(path);
    const ofPackage = counts[name] ?? {};
    ofPackage[rule] = (ofPackage[rule] ?? 0) + 1;
    counts[name] = ofPackage;
  }
  return counts;
}

/** Returns the packages and rules with more findings than allowed, and those with fewer. */
export function compareCounts(found: Counts, allowed: Counts) {
  const packages = [...new Set([...Object.keys(found), ...Object.keys(allowed)])].sort();
  const differences = packages.flatMap((name) =>
    ruleNames.map(
      (rule): Difference => ({
        package: name,
        rule,
        found: found[name]?.[rule] ?? 0,
        allowed: allowed[name]?.[rule] ?? 0,
      }),
    ),
  );
  return {
    rises: differences.filter((each) => each.found > each.allowed),
    falls: differences.filter((each) => each.found < each.allowed),
  };
}

/** Returns the lower of the found and the allowed number for each package and rule. */
export function lowerCounts(found: Counts, allowed: Counts): Counts {
  return mapCounts(allowed, (name, rule, count) => Math.min(count, found[name]?.[rule] ?? 0));
}

/** Formats counts sorted and without zeros. Each number has its own line, so that git can merge changes. */
export function formatCounts(counts: Counts): string {
  return `${JSON.stringify(
    mapCounts(counts, (_name, _rule, count) => count),
    undefined,
    2,
  )}\n`;
}

function mapCounts(counts: Counts, map: (name: string, rule: RuleName, count: number) => number): Counts {
  const mapped = Object.entries(counts).map(([name, rules]) => {
    const entries = ruleNames
      .map((rule) => [rule, map(name, rule, rules[rule] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    return [name, Object.fromEntries(entries)] as const;
  });
  return Object.fromEntries(
    mapped
      .filter(([, rules]) => Object.keys(rules).length > 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Reads the allowed counts from the ratchet file. `undefined` if the file does not exist. */
export function readRatchet(root: string): Counts | undefined {
  const file = join(root, ratchetFile);
  return existsSync(file) ? parseCounts(readFileSync(file, "utf8")) : undefined;
}

/**
 * Parses the ratchet file.
 * @throws UsageError if the content is not JSON, for example because of conflict markers
 */
export function parseCounts(content: string): Counts {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${ratchetFile} is not JSON: ${error}. Resolve its conflicts, then run --lower.`);
  }
}

/** Lowers the counts in the ratchet file. If the file does not exist, writes the current counts. */
export function writeRatchet(root: string, found: Counts): void {
  const allowed = readRatchet(root);
  writeFileSync(join(root, ratchetFile), formatCounts(allowed ? lowerCounts(found, allowed) : found));
}
