import { findChangeBase } from "./change-base.ts";
import { checkSubjects, formatSubject } from "./commit-subjects.ts";
import { type Finding, formatFinding } from "./finding.ts";

/** Path of the check. Only subjects of commits after the addition of this file are checked. */
const checkPath = "scripts/check-language.ts";

/**
 * Checks the commit subjects. Prints them and the findings of all files, one line per violation. Returns true if there are no
 * violations.
 * @throws UsageError if git does not know the given base
 */
export function checkChange(
  root: string,
  findings: readonly Finding[],
  base: string | undefined,
  print: (line: string) => void,
): boolean {
  const { isCheckout } = findChangeBase(root, base);
  const subjects = isCheckout ? checkSubjects(root, checkPath, { base }) : [];
  for (const finding of findings) print(formatFinding(finding));
  for (const subject of subjects) print(formatSubject(subject));
  if (!isCheckout) print("No git checkout: commit subjects are not checked.");
  const passed = findings.length + subjects.length === 0;
  print(
    passed
      ? "language: no findings"
      : `language: findings: ${findings.length}, commit subjects: ${subjects.length}. See docs/language.md.`,
  );
  return passed;
}
