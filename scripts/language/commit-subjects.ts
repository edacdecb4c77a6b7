import { tryGit } from "../git/git.ts";

/** Commit subject that violates the guide. */
export interface SubjectFinding {
  readonly commit: string;
  readonly subject: string;
  readonly remedy: string;
}

/** Number of checked commits, starting from the last one. */
export const checkedCommits = 200;

const longestSubject = 72;
const form = /^[a-z0-9@/,. -]+(?:\([^)]*\))?: \S/;

interface CheckedRange {
  /** Maximum number of commits. */
  readonly count?: number;
  /** Branch, tag or commit. Commits that are reachable from it are not checked. Default: none are excluded. */
  readonly base?: string | undefined;
}

/**
 * Checks the subjects of the last commits without merges. Checks only descendants of the commit that added
 * `marker`. Therefore, branches that started before this commit are not checked.
 */
export function checkSubjects(
  root: string,
  marker: string,
  { count = checkedCommits, base }: CheckedRange = {},
): SubjectFinding[] {
  const introductions = tryGit(root, "log", "--diff-filter=A", "--format=%H", "--", marker);
  const introduction = introductions?.split("\n").at(-1);
  if (!introduction) return [];
  const log = tryGit(
    root,
    ...["log", "--no-merges", "--format=%h %s", `--max-count=${count}`],
    ...[`--ancestry-path=${introduction}`, `${introduction}..HEAD`],
  );
  const sinceBase = base === undefined ? log : tryGit(root, "log", "--format=%h %s", `${base}..HEAD`);
  const included = new Set(sinceBase?.split("\n"));
  return (log ?? "")
    .split("\n")
    .filter((line) => line !== "" && included.has(line))
    .flatMap((line) => {
      const [, commit = "", subject = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
      const remedy = subjectRemedy(subject);
      return remedy === undefined ? [] : [{ commit, subject, remedy }];
    });
}

/** Returns the remedy for a commit subject. `undefined` if the subject is valid. */
export function subjectRemedy(subject: string): string | undefined {
  if (!form.test(subject))
    return "write `area: imperative summary`, for example `portal: serve metrics over HTTPS`";
  if (subject.length > longestSubject) return `${subject.length} characters; use at most ${longestSubject}`;
  return /: say\b/i.test(subject) ? "name the change: document, report, log" : undefined;
}

export function formatSubject({ commit, subject, remedy }: SubjectFinding): string {
  return `${commit}: commit-subject: "${subject}": ${remedy}`;
}
