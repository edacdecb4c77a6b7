import { valueAt } from "@keelson/base";
import { nonNegative, oneOf, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { ageOf } from "../../columns/age.ts";
import { ageColumn, declared, nameColumn, size, text, textOf, wide } from "../../columns/column.ts";
import { selectorText } from "../../columns/label-text.ts";
import { templateColumns } from "../../columns/workload-columns.ts";
import type { Kind } from "../kind.ts";

const fieldPattern = /^(?:\*|\?|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:\/\d+)?$/;
const fieldBounds: readonly (readonly [number, number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
];

/**
 * Built-in kind CronJob. Source of its rules: kubernetes pkg/apis/batch/v1/defaults.go and
 * pkg/apis/batch/validation/validation.go.
 */
export const cronJob: Kind = {
  group: "batch",
  versions: ["v1"],
  kind: "CronJob",
  plural: "cronjobs",
  shortNames: ["cj"],
  categories: ["all"],
  namespaced: true,
  description: "Creates jobs on a schedule.",
  subresources: { status: {} },
  strategy: { generation: {} },
  columns: [
    nameColumn,
    textOf("Schedule", "spec.schedule"),
    textOf("Timezone", "spec.timeZone", "<none>"),
    declared(
      "boolean",
      text("Suspend", (object) => {
        const suspend = valueAt(object, "spec", "suspend");
        return typeof suspend === "boolean" ? (suspend ? "True" : "False") : "<unset>";
      }),
    ),
    size("Active", "status.active"),
    text("Last Schedule", (object, now) => {
      const last = valueAt(object, "status", "lastScheduleTime");
      return last === undefined ? "<none>" : ageOf(last, now);
    }),
    ageColumn,
    ...templateColumns("spec.jobTemplate.spec.template.spec.containers"),
    wide(
      text("Selector", (object) => selectorText(valueAt(object, "spec", "jobTemplate", "spec", "selector"))),
    ),
  ],
  podTemplate: ["spec", "jobTemplate", "spec", "template"],
  types: {
    defaults: `
batch.v1.CronJob spec={} status={}
batch.v1.CronJobSpec jobTemplate={} concurrencyPolicy="Allow" suspend=false successfulJobsHistoryLimit=3 failedJobsHistoryLimit=1
batch.v1.JobTemplateSpec metadata={} spec={}
`,
    checks: {
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
    protobuf: `
batch.v1.CronJob metadata=1 spec=2 status=3
batch.v1.CronJobSpec schedule=1* timeZone=8* startingDeadlineSeconds=2* concurrencyPolicy=3 suspend=4* jobTemplate=5 successfulJobsHistoryLimit=6* failedJobsHistoryLimit=7*
batch.v1.CronJobStatus active=1 lastScheduleTime=4 lastSuccessfulTime=5
batch.v1.JobTemplateSpec metadata=1 spec=2
`,
    enums: `
batch.v1.CronJobSpec.concurrencyPolicy Allow|Forbid|Replace
`,
  },
};

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
