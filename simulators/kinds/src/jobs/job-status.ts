import {
  conditionIsTrue,
  type KubeObject,
  type StatusCause,
  sameJson,
  scalarStringAt,
} from "@keelson/apimachinery";
import { objectAt, stringsAt, valueAt } from "@keelson/base";
import { Findings } from "../catalogue/findings.ts";
import { firstShared, type IndexRange, parseIndexRanges } from "./index-ranges.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Change of a Job's status. `changes` returns true if one of the given fields changed. */
interface Change {
  readonly spec: Fields;
  readonly before: Fields;
  readonly status: Fields;
  readonly changes: (...members: readonly string[]) => boolean;
  /** Returns true if a condition of one of these types changes to True or from True. */
  readonly turns: (...types: readonly string[]) => boolean;
}

/**
 * Validates a new Job status. Rules for unchanged fields are skipped.
 * @see kubernetes/kubernetes pkg/registry/batch/job/strategy.go (getStatusValidationOptions), pkg/apis/batch/validation
 */
export function validateJobStatus(job: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  if (!current || sameJson(job.status, current.status)) return [];
  const [status, before] = [objectAt(job, "status"), objectAt(current, "status")];
  const change: Change = {
    spec: objectAt(job, "spec"),
    before,
    status,
    changes: (...members) => members.some((member) => !sameJson(status[member], before[member])),
    turns: (...types) => types.some((type) => is(status, type) !== is(before, type)),
  };
  const findings = new Findings();
  findings.enter("status");
  for (const rule of [finished, completion, conditions, indexes, keptConditions, counters, times])
    rule(change, findings);
  return findings.causes;
}

/** True if the status contains a condition of this type with the condition status True. */
function is(status: Fields, type: string): boolean {
  return conditionIsTrue({ status }, type);
}

function finished({ status, changes, turns }: Change, findings: Findings): void {
  if (!is(status, "Complete") && !is(status, "Failed")) return;
  const ends = turns("Complete", "Failed");
  for (const member of ["active", "terminating"]) {
    const count = status[member];
    if (typeof count === "number" && count > 0 && (ends || changes(member)))
      findings.invalid(count, `${member}>0 is invalid for finished job`, member);
  }
  if (status.startTime === undefined && (ends || changes("startTime")))
    findings.required("startTime is required for finished job", "startTime");
  const [succeeded, failed] = ["succeeded", "failed"].map((list) =>
    stringsAt(status, "uncountedTerminatedPods", list),
  );
  const isEmpty = succeeded?.length === 0 && failed?.length === 0;
  if (isEmpty || !(ends || changes("uncountedTerminatedPods"))) return;
  const shown = { Succeeded: succeeded?.length ? succeeded : null, Failed: failed?.length ? failed : null };
  findings.invalid(shown, "must be empty for finished job", "uncountedTerminatedPods");
}

function completion({ status, changes, turns }: Change, findings: Findings): void {
  const { startTime, completionTime } = status;
  const isComplete = is(status, "Complete");
  if (turns("Complete") || changes("completionTime")) {
    if (isComplete && completionTime === undefined)
      findings.required("completionTime is required for Complete jobs", "completionTime");
    if (!isComplete && completionTime !== undefined)
      findings.invalid(
        completionTime,
        "cannot set completionTime when there is no Complete=True condition",
        "completionTime",
      );
  }
  if (startTime === undefined || completionTime === undefined || !changes("startTime", "completionTime"))
    return;
  if (Date.parse(String(completionTime)) < Date.parse(String(startTime)))
    findings.invalid(completionTime, "must be equal to or after `startTime`", "completionTime");
}

const exclusive = [
  ["Complete", "Failed"],
  ["Complete", "FailureTarget"],
  ["SuccessCriteriaMet", "Failed"],
  ["SuccessCriteriaMet", "FailureTarget"],
] as const;
const preceding = [
  ["Failed", "FailureTarget"],
  ["Complete", "SuccessCriteriaMet"],
] as const;

function conditions({ status, turns }: Change, findings: Findings): void {
  for (const [one, other] of exclusive) {
    if (is(status, one) && is(status, other) && turns(one, other))
      findings.invalidAltogether(`cannot set ${one}=True and ${other}=true conditions`, "conditions");
  }
  for (const [end, cause] of preceding) {
    if (is(status, end) && !is(status, cause) && turns(end))
      findings.invalidAltogether(
        `cannot set ${end}=True condition without the ${cause}=true condition`,
        "conditions",
      );
  }
}

function indexes({ spec, status, changes }: Change, findings: Findings): void {
  const [completed, failed] = [
    scalarStringAt(status, "completedIndexes"),
    scalarStringAt(status, "failedIndexes"),
  ];
  const most = typeof spec.completions === "number" ? spec.completions : 0;
  const isIndexed = spec.completionMode === "Indexed";
  const whyCompleted = isIndexed
    ? undefined
    : "cannot set non-empty completedIndexes when non-indexed completion mode";
  const whyFailed =
    spec.backoffLimitPerIndex === undefined
      ? "cannot set non-null failedIndexes when backoffLimitPerIndex is null"
      : undefined;
  const read = (member: string, text: string, refused: string | undefined): readonly IndexRange[] => {
    if (text === "") return [];
    const ranges = refused ?? parseIndexRanges(text, most);
    if (typeof ranges !== "string") return ranges;
    const why = refused ?? `error parsing ${member}: ${ranges}`;
    if (changes(member)) findings.invalid(text, why, member);
    return [];
  };
  const done = read("completedIndexes", completed, whyCompleted);
  const shared = firstShared(done, read("failedIndexes", failed, whyFailed));
  if (shared === undefined || !changes("completedIndexes", "failedIndexes")) return;
  const why = `failedIndexes and completedIndexes overlap at index: ${shared}`;
  findings.invalid(failed, why, "failedIndexes");
}

function keptConditions({ status, before }: Change, findings: Findings): void {
  for (const type of ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"]) {
    if (!is(before, type) || is(status, type)) continue;
    const what = type === "SuccessCriteriaMet" ? type : `terminal ${type}`;
    findings.invalidAltogether(`cannot disable the ${what}=True condition`, "conditions");
  }
}

/** Rejects decreased counts. Only the succeeded count of an Indexed Job may decrease. */
function counters({ spec, status, before }: Change, findings: Findings): void {
  for (const member of spec.completionMode === "Indexed" ? ["failed"] : ["succeeded", "failed"]) {
    const [now, was] = [status, before].map((each) => Number(valueAt(each, member) ?? 0));
    if (now !== undefined && was !== undefined && now < was)
      findings.invalid(now, `cannot decrease the ${member} counter`, member);
  }
}

function times({ spec, status, before, changes }: Change, findings: Findings): void {
  if (before.startTime !== undefined && spec.suspend !== true && changes("startTime"))
    findings.invalid(
      status.startTime ?? null,
      "field is immutable for unsuspended job once set",
      "startTime",
    );
  const wasComplete = before.completionTime !== undefined && status.completionTime !== undefined;
  if (wasComplete && changes("completionTime"))
    findings.invalid(status.completionTime, "field is immutable", "completionTime");
}
