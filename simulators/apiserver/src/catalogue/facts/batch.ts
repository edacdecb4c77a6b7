import { recordAt, textAt, textsAt, valueAt } from "../../json/access.ts";
import { sameJson } from "../../json/same-json.ts";
import { immutable } from "../changes.ts";
import { nonNegative, oneOf, required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import type { Fields, GroupFacts } from "./group-facts.ts";
import { checkMounts } from "./pod-spec.ts";
import { counts } from "./replica-status.ts";
import { selectsTemplate } from "./workloads.ts";

const unlimited = 2 ** 31 - 1;

/** Facts: kubernetes pkg/apis/batch/v1/defaults.go and pkg/apis/batch/validation/validation.go. */
export const batchFacts: GroupFacts = {
  defaults: `
batch.v1.Job spec={} status={}
batch.v1.JobSpec template={}
batch.v1.CronJob spec={} status={}
batch.v1.CronJobSpec jobTemplate={} concurrencyPolicy="Allow" suspend=false successfulJobsHistoryLimit=3 failedJobsHistoryLimit=1
batch.v1.JobTemplateSpec metadata={} spec={}
batch.v1.PodFailurePolicyOnPodConditionsPattern status="True"
`,
  derived: { "batch.v1.Job": withJobDefaults },
  checks: {
    "batch.v1.JobStatus": [
      ...counts("active", "succeeded", "failed", "ready", "terminating"),
      ["uncountedTerminatedPods", uncountedPods],
      ["", readyOfActive],
    ],
    "batch.v1.Job": [["spec"], ["", (job, findings) => selectsOwnPods(job, findings)]],
    "batch.v1.JobSpec": [
      ["parallelism", nonNegative],
      ["completions", nonNegative],
      ["activeDeadlineSeconds", nonNegative],
      ["backoffLimit", nonNegative],
      ["ttlSecondsAfterFinished", nonNegative],
      ["backoffLimitPerIndex", nonNegative],
      ["maxFailedIndexes", nonNegative],
      ["completionMode", oneOf("NonIndexed", "Indexed")],
      ["", indexedFields],
      ["podFailurePolicy"],
      ["podReplacementPolicy", oneOf("Failed", "TerminatingOrFailed")],
      ["template"],
      ["", endingTemplate],
    ],
    "batch.v1.CronJobSpec": [
      ["schedule", required, schedule],
      ["startingDeadlineSeconds", nonNegative],
      ["timeZone", timeZone],
      ["concurrencyPolicy", oneOf("Allow", "Forbid", "Replace")],
      ["jobTemplate"],
      ["successfulJobsHistoryLimit", nonNegative],
      ["failedJobsHistoryLimit", nonNegative],
    ],
  },
  changes: {
    "batch.v1.Job": (job, current, findings) => {
      const indexed = valueAt(job, "spec", "completionMode") === "Indexed";
      if (!indexed) immutable("spec.completions")(job, current, findings);
      immutable("spec.selector")(job, current, findings);
      templateChange(job, current, findings);
      immutable(
        "spec.completionMode",
        "spec.podFailurePolicy",
        "spec.backoffLimitPerIndex",
        "spec.managedBy",
        "spec.successPolicy",
      )(job, current, findings);
    },
  },
};

function withJobDefaults(job: Fields): Fields {
  if (job.spec === undefined) return job;
  const spec = recordAt(job, "spec");
  const alone = spec.completions === undefined && spec.parallelism === undefined;
  const labels = valueAt(spec, "template", "metadata", "labels");
  const metadata = recordAt(job, "metadata");
  return {
    ...job,
    metadata: metadata.labels === undefined && labels !== undefined ? { ...metadata, labels } : metadata,
    spec: {
      ...(alone ? { completions: 1 } : {}),
      parallelism: 1,
      backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : unlimited,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
      manualSelector: false,
      ...spec,
    },
  };
}

function selectsOwnPods(job: unknown, findings: Findings): void {
  if (valueAt(job, "spec", "selector") === undefined) findings.required("", "spec", "selector");
  findings.enter("spec");
  selectsTemplate(valueAt(job, "spec"), findings);
  findings.leave();
}

function indexedFields(spec: unknown, findings: Findings): void {
  const indexed = textAt(spec, "completionMode") === "Indexed";
  if (indexed && valueAt(spec, "completions") === undefined)
    findings.required("when completion mode is Indexed", "completions");
  for (const field of ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"]) {
    const value = valueAt(spec, field);
    if (!indexed && value !== undefined) findings.invalid(value, "requires indexed completion mode", field);
  }
}

function endingTemplate(spec: unknown, findings: Findings): void {
  const policy = textAt(spec, "template", "spec", "restartPolicy");
  const path = ["template", "spec", "restartPolicy"];
  if (policy === "" || policy === "Always") findings.required('valid values: "OnFailure", "Never"', ...path);
  else if (policy !== "OnFailure" && policy !== "Never")
    findings.notSupported(policy, ["OnFailure", "Never"], ...path);
  else if (valueAt(spec, "podFailurePolicy") !== undefined && policy !== "Never")
    findings.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified', ...path);
  checkMounts(valueAt(spec, "template", "spec"), findings, [], "template", "spec");
}

/** A job's template is for life; only what says where its pods may run may change while it is suspended. */
function templateChange(job: Fields, current: Fields, findings: Findings): void {
  const template = valueAt(job, "spec", "template");
  const before = valueAt(current, "spec", "template");
  if (sameJson(template, before)) return;
  const notStarted = valueAt(current, "status", "startTime") === undefined;
  if (valueAt(current, "spec", "suspend") === true && notStarted && sameJson(fixed(template), fixed(before)))
    return;
  findings.invalid(template, "field is immutable", "spec", "template");
}

function fixed(template: unknown): Fields {
  const { metadata: _metadata, ...rest } = recordAt(template);
  const {
    affinity: _affinity,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...spec
  } = recordAt(template, "spec");
  return { ...rest, spec };
}

const fieldPattern = /^(?:\*|\?|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:\/\d+)?$/;
const fieldBounds: readonly (readonly [number, number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
];

function schedule(value: unknown, findings: Findings): void {
  if (typeof value !== "string" || value === "") return;
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(value)) return;
  if (value.includes("TZ")) {
    findings.invalid(value, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    return;
  }
  const fields = value.trim().split(/\s+/);
  if (fields.length !== 5) {
    findings.invalid(value, `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
    return;
  }
  for (const [at, text] of fields.entries()) {
    for (const part of text.split(",")) {
      const why = fieldPattern.test(part)
        ? outOfBounds(part, fieldBounds[at])
        : `failed to parse int from ${part}`;
      if (why) {
        findings.invalid(value, why);
        return;
      }
    }
  }
}

function outOfBounds(part: string, bounds: readonly [number, number] | undefined): string | undefined {
  const [least, most] = bounds ?? [0, 0];
  const range = part.split("/")[0] ?? "";
  for (const text of range.split("-")) {
    if (!/^\d+$/.test(text)) continue;
    if (Number(text) < least) return `beginning of range (${text}) below minimum (${least}): ${part}`;
    if (Number(text) > most) return `end of range (${text}) above maximum (${most}): ${part}`;
  }
  return undefined;
}

function timeZone(value: unknown, findings: Findings): void {
  if (typeof value !== "string") return;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
  } catch {
    findings.invalid(value, `unknown time zone ${value}`);
  }
}

/** Each pod is listed once. */
function uncountedPods(value: unknown, findings: Findings): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"]) {
    for (const [at, uid] of textsAt(value, list).entries()) {
      if (uid === "") findings.invalid(uid, "must not be empty", list, at);
      else if (seen.has(uid)) findings.duplicate(uid, list, at);
      seen.add(uid);
    }
  }
}

function readyOfActive(status: unknown, findings: Findings): void {
  const ready = valueAt(status, "ready");
  const active = valueAt(status, "active") ?? 0;
  if (typeof ready === "number" && typeof active === "number" && ready > active)
    findings.invalid(ready, "cannot set more ready pods than active", "ready");
}
