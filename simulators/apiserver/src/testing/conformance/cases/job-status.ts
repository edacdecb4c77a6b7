import assert from "node:assert/strict";
import { all, type ConformanceCase } from "../case.ts";
import { refusal } from "../refusal.ts";
import { mergePatch, post } from "../requests.ts";

type Fields = Readonly<Record<string, unknown>>;
type Wrong = readonly [status: Fields, ...why: readonly string[]];

const jobs = "/apis/batch/v1/namespaces/{ns}/jobs";
const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const job = (spec: Fields) =>
  post(jobs, { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: { template, ...spec } });
const status = (value: Fields) => mergePatch(`${jobs}/j/status`, { status: value });

/**
 * Returns a case for a Job that already has a status. The case makes several invalid changes of the status, and one valid change.
 */
function changes(
  name: string,
  spec: Fields,
  given: Fields,
  wrongs: readonly Wrong[],
  right: Fields = {},
): ConformanceCase {
  return {
    name,
    async run(api) {
      await all(api, [job(spec), status(given)]);
      for (const [value, ...why] of wrongs)
        assert.deepEqual(
          await refusal(api, status(value)),
          why.map((each) => `status.${each}`),
          JSON.stringify(value),
        );
      await all(api, [status(right)]);
    },
  };
}

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const conditions = (...types: readonly string[]) => ({
  conditions: types.map((type) => ({
    type,
    status: "True",
    lastProbeTime: at(0),
    lastTransitionTime: at(0),
  })),
});
const startTime = at(1);
const complete = { ...conditions("SuccessCriteriaMet", "Complete"), startTime, completionTime: at(2) };
const failed = { ...conditions("FailureTarget", "Failed"), startTime };
const indexed = { completionMode: "Indexed", completions: 5, parallelism: 5 };
const unparsed = (text: string, why: string): Wrong => [
  { completedIndexes: text },
  `completedIndexes: Invalid value: "${text}": error parsing completedIndexes: ${why}`,
];
const incomplete = "cannot set completionTime when there is no Complete=True condition";

/** Conformance cases for the validation of status changes of Jobs. */
export const jobStatusCases: readonly ConformanceCase[] = [
  changes(
    "a job has one final condition, a reason and no active pods",
    {},
    {},
    [
      [{ completionTime: at(2) }, `completionTime: Invalid value: "${at(2)}": ${incomplete}`],
      [
        { ...complete, completionTime: at(0) },
        `completionTime: Invalid value: "${at(0)}": must be equal to or after \`startTime\``,
      ],
      [
        { ...complete, completionTime: null },
        "completionTime: Required value: completionTime is required for Complete jobs",
      ],
      [
        { ...complete, ...conditions("Complete") },
        "conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      ],
      [
        { ...failed, ...conditions("Failed") },
        "conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition",
      ],
      [
        { ...complete, ...conditions("Complete", "Failed", "FailureTarget", "SuccessCriteriaMet") },
        "conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
        "conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions",
        "conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions",
        "conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
      ],
      [
        { ...failed, active: 1, terminating: 1 },
        "active: Invalid value: 1: active>0 is invalid for finished job",
        "terminating: Invalid value: 1: terminating>0 is invalid for finished job",
      ],
      [{ ...failed, startTime: null }, "startTime: Required value: startTime is required for finished job"],
      [
        { ...complete, uncountedTerminatedPods: { succeeded: ["a"] } },
        'uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":null}: must be empty for finished job',
      ],
    ],
    complete,
  ),
  changes(
    "final conditions of a job are immutable",
    {},
    complete,
    [
      [{ completionTime: at(3) }, `completionTime: Invalid value: "${at(3)}": field is immutable`],
      [
        { conditions: null },
        `completionTime: Invalid value: "${at(2)}": ${incomplete}`,
        "conditions: Invalid value: cannot disable the terminal Complete=True condition",
        "conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
      ],
    ],
    { failed: 3 },
  ),
  changes(
    "a job's counters increase, its pods are counted once, and its start time is immutable",
    {},
    { startTime, succeeded: 2, failed: 2 },
    [
      [{ succeeded: 1 }, "succeeded: Invalid value: 1: cannot decrease the succeeded counter"],
      [{ failed: 1 }, "failed: Invalid value: 1: cannot decrease the failed counter"],
      [{ terminating: -1 }, "terminating: Invalid value: -1: must be greater than or equal to 0"],
      [
        { uncountedTerminatedPods: { succeeded: ["a", ""], failed: ["a"] } },
        'uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
      [
        { startTime: at(2) },
        `startTime: Invalid value: "${at(2)}": field is immutable for unsuspended job once set`,
      ],
      [
        { startTime: null },
        "startTime: Invalid value: null: field is immutable for unsuspended job once set",
      ],
      [
        { completedIndexes: "0" },
        'completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
      ],
      [
        { failedIndexes: "0" },
        'failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    ],
    { succeeded: 3, failed: 3 },
  ),
  changes(
    "completed and failed indexes of a job",
    { ...indexed, backoffLimitPerIndex: 1 },
    { succeeded: 2, completedIndexes: "0,1" },
    [
      unparsed("5", 'too large index: "5"'),
      unparsed("a", 'cannot convert string to integer for index: "a"'),
      unparsed("2,1", "non-increasing order, previous: 2, current: 1"),
      unparsed("3-2", "non-increasing order, previous: 3, current: 2"),
      unparsed("1,", 'cannot convert string to integer for index: ""'),
      unparsed(
        "1-2-3",
        `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
      ),
      [
        { failedIndexes: "1-3" },
        'failedIndexes: Invalid value: "1-3": failedIndexes and completedIndexes overlap at index: 1',
      ],
    ],
    { completedIndexes: "0", succeeded: 1, failedIndexes: "1-4" },
  ),
];
