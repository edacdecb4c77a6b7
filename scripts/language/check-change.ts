import { forkPoint } from "../git/changed-files.ts";
import { tryGit } from "../git/git.ts";
import { type AddedLines, addedLines } from "./added-lines.ts";
import { findChangeBase } from "./change-base.ts";
import { checkSubjects, formatSubject } from "./commit-subjects.ts";
import { type Finding, formatFinding, isOnLine } from "./finding.ts";
import {
  type Counts,
  compareCounts,
  countFindings,
  type Difference,
  lowerCounts,
  parseCounts,
  ratchetFile,
  readRatchet,
} from "./ratchet.ts";
import { packageOf } from "./source-files.ts";

/** Path of the check. Only subjects of commits after the addition of this file are checked. */
const checkPath = "scripts/check-language.ts";

/**
 * Compares the findings in all files with the allowed counts in the ratchet file. Then checks the added lines and the commit
 * subjects. Prints one line per violation. Returns true if there are no violations.
 */
export function checkChange(
  root: string,
  findings: readonly Finding[],
  givenBase: string | undefined,
  print: (line: string) => void,
): boolean {
  const { isCheckout, base, skipped } = findChangeBase(root, givenBase);
  const added: AddedLines = base === undefined ? new Map() : addedLines(root, base);
  const isNew = (finding: Finding) =>
    isOnLine(finding, (line) => added.get(finding.path)?.has(line) === true);
  const newFindings = findings.filter(isNew);
  const { rises, falls } = compareCounts(countFindings(findings), allowedCounts(root, base, added));
  const subjects = isCheckout ? checkSubjects(root, checkPath) : [];

  const moved = rises.flatMap((rise) => findings.filter((each) => isOf(each, rise)));
  const explained = new Set(newFindings.map((each) => `${packageOf(each.path)} ${each.rule}`));
  const others = moved.filter((each) => !explained.has(`${packageOf(each.path)} ${each.rule}`));
  for (const finding of [...newFindings, ...others]) print(formatFinding(finding));
  for (const rise of rises) print(formatRise(rise));
  for (const subject of subjects) print(formatSubject(subject));
  if (falls.length > 0) print(formatFalls(falls));
  if (skipped !== undefined) print(skipped);
  const passed = newFindings.length + rises.length + subjects.length === 0;
  print(
    passed
      ? `language: no new findings, ${findings.length} known ones`
      : `language: findings in added lines: ${newFindings.length}, exceeded ratchet numbers: ${rises.length}, commit subjects: ${subjects.length}. See docs/language.md.`,
  );
  return passed;
}

/**
 * Returns the allowed counts from the ratchet file. Unless the change adds rules, no count may be higher than the count in the
 * base commit.
 */
function allowedCounts(root: string, base: string | undefined, added: AddedLines): Counts {
  const allowed = readRatchet(root) ?? {};
  if (base === undefined || [...added.keys()].some(isRuleFile)) return allowed;
  const earlier = tryGit(root, "show", `${forkPoint(root, base)}:${ratchetFile}`);
  return earlier === undefined ? allowed : lowerCounts(parseCounts(earlier), allowed);
}

function isRuleFile(path: string): boolean {
  return /^scripts\/language\/.*(?<!\.test)\.ts$/.test(path);
}

function isOf(finding: Finding, { package: name, rule }: Difference): boolean {
  return finding.rule === rule && packageOf(finding.path) === name;
}

function formatRise({ package: name, rule, found, allowed }: Difference): string {
  return `${name}: ratchet: ${rule}: ${found} found, ${allowed} allowed. Rewrite prose of ${name}; numbers in ${ratchetFile} never rise.`;
}

function formatFalls(falls: readonly Difference[]): string {
  const names = [...new Set(falls.map((each) => each.package))].join(", ");
  return `Counts of ${names} are lower than in ${ratchetFile}. Run \`node scripts/check-language.ts --lower\` and commit the file.`;
}
