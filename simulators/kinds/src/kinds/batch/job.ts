import {
  conditionIsTrue,
  type KubeObject,
  numberOrZeroAt,
  sameJson,
  scalarStringAt,
} from "@keelson/apimachinery";
import { objectAt, stringsAt, valueAt } from "@keelson/base";
import { immutable } from "../../catalogue/changes.ts";
import { nonNegative, oneOf } from "../../catalogue/checks.ts";
import { checkMounts } from "../../catalogue/facts/pod-checks.ts";
import { counts } from "../../catalogue/facts/replica-status.ts";
import { selectsTemplate } from "../../catalogue/facts/workloads.ts";
import type { Findings } from "../../catalogue/findings.ts";
import type { Fields } from "../../catalogue/type-facts.ts";
import { humanDuration } from "../../columns/age.ts";
import { ageColumn, nameColumn, text } from "../../columns/column.ts";
import { selector, templateColumns } from "../../columns/workload-columns.ts";
import { validateJobStatus } from "../../jobs/job-status.ts";
import type { Kind } from "../kind.ts";

const unlimited = 2 ** 31 - 1;

/**
 * Built-in kind Job. Source of its rules: kubernetes pkg/apis/batch/v1/defaults.go and pkg/apis/batch/validation/validation.go.
 */
export const job: Kind = {
  group: "batch",
  versions: ["v1"],
  kind: "Job",
  plural: "jobs",
  categories: ["all"],
  namespaced: true,
  description: "Runs pods until enough of them have succeeded.",
  subresources: { status: {} },
  strategy: {
    generation: {},
    applyDefaults: withOwnSelector,
    validate: validateJobStatus,
    serverFields: {
      "f:spec": {
        "f:selector": {},
        "f:template": {
          "f:metadata": {
            "f:labels": {
              "f:batch.kubernetes.io/controller-uid": {},
              "f:batch.kubernetes.io/job-name": {},
              "f:controller-uid": {},
              "f:job-name": {},
            },
          },
        },
      },
    },
  },
  columns: [
    nameColumn,
    text("Status", jobStatus),
    text("Completions", jobCompletions),
    text("Duration", jobDuration),
    ageColumn,
    ...templateColumns(),
    selector,
  ],
  selectableFields: {
    fields: { "status.successful": { path: "status.succeeded", absent: "0" } },
    refusal: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
  podTemplate: ["spec", "template"],
  types: {
    defaults: `
batch.v1.Job spec={} status={}
batch.v1.JobSpec template={}
batch.v1.PodFailurePolicyOnPodConditionsPattern status="True"
`,
    derived: {
      "batch.v1.Job": withJobDefaults,
    },
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
    mergeKeys: `
batch.v1.JobStatus conditions=type
`,
    ownership: `
batch.v1.PodFailurePolicyOnExitCodesRequirement values=
batch.v1.UncountedTerminatedPods succeeded= failed=
`,
    protobuf: `
batch.v1.Job metadata=1 spec=2 status=3
batch.v1.JobCondition type=1* status=2* lastProbeTime=3 lastTransitionTime=4 reason=5 message=6
batch.v1.JobSpec parallelism=1* completions=2* activeDeadlineSeconds=3* podFailurePolicy=11 successPolicy=16 backoffLimit=7* backoffLimitPerIndex=12* maxFailedIndexes=13* selector=4 manualSelector=5* template=6 ttlSecondsAfterFinished=8* completionMode=9* suspend=10* podReplacementPolicy=14* managedBy=15*
batch.v1.JobStatus conditions=1 startTime=2 completionTime=3 active=4 succeeded=5 failed=6 terminating=11* completedIndexes=7 failedIndexes=10* uncountedTerminatedPods=8 ready=9*
batch.v1.PodFailurePolicy rules=1
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName=1* operator=2* values=3
batch.v1.PodFailurePolicyOnPodConditionsPattern type=1* status=2*
batch.v1.PodFailurePolicyRule action=1* onExitCodes=2 onPodConditions=3
batch.v1.SuccessPolicy rules=1
batch.v1.SuccessPolicyRule succeededIndexes=1* succeededCount=2*
batch.v1.UncountedTerminatedPods succeeded=1 failed=2
`,
    enums: `
batch.v1.JobSpec.completionMode Indexed|NonIndexed
batch.v1.JobSpec.podReplacementPolicy Failed|TerminatingOrFailed
batch.v1.PodFailurePolicyOnExitCodesRequirement.operator In|NotIn
batch.v1.PodFailurePolicyRule.action Count|FailIndex|FailJob|Ignore
`,
  },
};

function jobStatus(job: unknown): string {
  if (conditionIsTrue(job, "Complete")) return "Complete";
  if (conditionIsTrue(job, "Failed")) return "Failed";
  if (valueAt(job, "metadata", "deletionTimestamp") !== undefined) return "Terminating";
  const ongoing = ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) =>
    conditionIsTrue(job, type),
  );
  return ongoing ?? "Running";
}

function jobCompletions(job: unknown): string {
  const succeeded = numberOrZeroAt(job, "status", "succeeded");
  const completions = valueAt(job, "spec", "completions");
  if (typeof completions === "number") return `${succeeded}/${completions}`;
  const parallelism = numberOrZeroAt(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: unknown, now: Date): string {
  const start = scalarStringAt(job, "status", "startTime");
  if (!start) return "";
  const end = scalarStringAt(job, "status", "completionTime");
  return humanDuration((end ? Date.parse(end) : now.getTime()) - Date.parse(start));
}

/** Sets a unique selector and pod label for the job, unless `manualSelector` is set. */
function withOwnSelector(job: KubeObject, current: KubeObject | undefined): KubeObject {
  const spec = objectAt(job, "spec");
  if (current || job.spec === undefined || spec.manualSelector === true) return job;
  const { name, uid = "" } = job.metadata;
  const template = objectAt(spec, "template");
  const metadata = objectAt(template, "metadata");
  const selector = objectAt(spec, "selector");
  return {
    ...job,
    spec: {
      ...spec,
      selector: {
        ...selector,
        matchLabels: { "batch.kubernetes.io/controller-uid": uid, ...objectAt(selector, "matchLabels") },
      },
      template: {
        ...template,
        metadata: {
          ...metadata,
          labels: {
            "batch.kubernetes.io/controller-uid": uid,
            "batch.kubernetes.io/job-name": name,
            "controller-uid": uid,
            "job-name": name,
            ...objectAt(metadata, "labels"),
          },
        },
      },
    },
  };
}

function withJobDefaults(job: Fields): Fields {
  if (job.spec === undefined) return job;
  const spec = objectAt(job, "spec");
  const alone = spec.completions === undefined && spec.parallelism === undefined;
  const labels = valueAt(spec, "template", "metadata", "labels");
  const metadata = objectAt(job, "metadata");
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

/** Rejects a pod UID that is empty or occurs more than once in the lists `succeeded` and `failed`. */
function uncountedPods(value: unknown, findings: Findings): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"]) {
    for (const [at, uid] of stringsAt(value, list).entries()) {
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

function selectsOwnPods(job: unknown, findings: Findings): void {
  if (valueAt(job, "spec", "selector") === undefined) findings.required("", "spec", "selector");
  findings.enter("spec");
  selectsTemplate(valueAt(job, "spec"), findings);
  findings.leave();
}

function indexedFields(spec: unknown, findings: Findings): void {
  const indexed = scalarStringAt(spec, "completionMode") === "Indexed";
  if (indexed && valueAt(spec, "completions") === undefined)
    findings.required("when completion mode is Indexed", "completions");
  for (const field of ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"]) {
    const value = valueAt(spec, field);
    if (!indexed && value !== undefined) findings.invalid(value, "requires indexed completion mode", field);
  }
}

function endingTemplate(spec: unknown, findings: Findings): void {
  const policy = scalarStringAt(spec, "template", "spec", "restartPolicy");
  const path = ["template", "spec", "restartPolicy"];
  if (policy === "" || policy === "Always") findings.required('valid values: "OnFailure", "Never"', ...path);
  else if (policy !== "OnFailure" && policy !== "Never")
    findings.notSupported(policy, ["OnFailure", "Never"], ...path);
  else if (valueAt(spec, "podFailurePolicy") !== undefined && policy !== "Never")
    findings.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified', ...path);
  checkMounts(valueAt(spec, "template", "spec"), findings, [], "template", "spec");
}

/**
 * Rejects changes of the pod template, which is immutable. Only a suspended job that has not started may change the template's
 * metadata and scheduling fields.
 */
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
  const { metadata: _metadata, ...rest } = objectAt(template);
  const {
    affinity: _affinity,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...spec
  } = objectAt(template, "spec");
  return { ...rest, spec };
}
