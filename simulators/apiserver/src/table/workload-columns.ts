import { ageOf, humanDuration } from "./age.ts";
import { ageColumn, type Column, count, declared, nameColumn, size, text, textOf, wide } from "./column.ts";
import { labelText, selectorText } from "./label-text.ts";
import { at, conditionIsTrue, listAt, numberAt, textAt } from "./read.ts";

/** Containers and Images of the pod template at a dotted path; both only with `-o wide`. */
function templateColumns(path = "spec.template.spec.containers"): readonly Column[] {
  const members = path.split(".");
  const joined = (member: string) => (object: unknown) =>
    listAt(object, ...members)
      .map((container) => textAt(container, member))
      .join(",");
  return [wide(text("Containers", joined("name"))), wide(text("Images", joined("image")))];
}

const selector = wide(text("Selector", (object) => selectorText(at(object, "spec", "selector"))));
const labelSelector = wide(text("Selector", (object) => labelText(at(object, "spec", "selector"))));
const readyOfDesired = text(
  "Ready",
  (object) => `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
);
const replicaCounts = [
  nameColumn,
  count("Desired", "spec.replicas"),
  count("Current", "status.replicas"),
  count("Ready", "status.readyReplicas"),
  ageColumn,
  ...templateColumns(),
];

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  readyOfDesired,
  declared("string", count("Up-to-date", "status.updatedReplicas")),
  declared("string", count("Available", "status.availableReplicas")),
  ageColumn,
  ...templateColumns(),
  selector,
];

export const replicaSetColumns: readonly Column[] = [...replicaCounts, selector];
export const replicationControllerColumns: readonly Column[] = [...replicaCounts, labelSelector];
export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  readyOfDesired,
  ageColumn,
  ...templateColumns(),
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  count("Desired", "status.desiredNumberScheduled"),
  count("Current", "status.currentNumberScheduled"),
  count("Ready", "status.numberReady"),
  count("Up-to-date", "status.updatedNumberScheduled"),
  count("Available", "status.numberAvailable"),
  text("Node Selector", (object) => labelText(at(object, "spec", "template", "spec", "nodeSelector"))),
  ageColumn,
  ...templateColumns(),
  selector,
];

export const jobColumns: readonly Column[] = [
  nameColumn,
  text("Status", jobStatus),
  text("Completions", jobCompletions),
  text("Duration", jobDuration),
  ageColumn,
  ...templateColumns(),
  selector,
];

export const cronJobColumns: readonly Column[] = [
  nameColumn,
  textOf("Schedule", "spec.schedule"),
  textOf("Timezone", "spec.timeZone", "<none>"),
  declared(
    "boolean",
    text("Suspend", (object) => {
      const suspend = at(object, "spec", "suspend");
      return typeof suspend === "boolean" ? (suspend ? "True" : "False") : "<unset>";
    }),
  ),
  size("Active", "status.active"),
  text("Last Schedule", (object, now) => {
    const last = at(object, "status", "lastScheduleTime");
    return last === undefined ? "<none>" : ageOf(last, now);
  }),
  ageColumn,
  ...templateColumns("spec.jobTemplate.spec.template.spec.containers"),
  wide(text("Selector", (object) => selectorText(at(object, "spec", "jobTemplate", "spec", "selector")))),
];

export const controllerRevisionColumns: readonly Column[] = [
  nameColumn,
  text("Controller", (object) => {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller);
    if (!owner) return "<none>";
    const [group = "", version] = owner.apiVersion.split("/");
    return `${owner.kind.toLowerCase()}${version ? `.${group}` : ""}/${owner.name}`;
  }),
  declared("string", count("Revision", "revision")),
  ageColumn,
];

export const podTemplateColumns: readonly Column[] = [
  nameColumn,
  ...templateColumns("template.spec.containers").map((column) => ({ ...column, priority: 0 })),
  text("Pod Labels", (object) => labelText(at(object, "template", "metadata", "labels"))),
];

export const podDisruptionBudgetColumns: readonly Column[] = [
  nameColumn,
  text("Min Available", (object) => String(at(object, "spec", "minAvailable") ?? "N/A")),
  text("Max Unavailable", (object) => String(at(object, "spec", "maxUnavailable") ?? "N/A")),
  count("Allowed Disruptions", "status.disruptionsAllowed"),
  ageColumn,
];

function jobStatus(job: unknown): string {
  if (conditionIsTrue(job, "Complete")) return "Complete";
  if (conditionIsTrue(job, "Failed")) return "Failed";
  if (at(job, "metadata", "deletionTimestamp") !== undefined) return "Terminating";
  const ongoing = ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) =>
    conditionIsTrue(job, type),
  );
  return ongoing ?? "Running";
}

function jobCompletions(job: unknown): string {
  const succeeded = numberAt(job, "status", "succeeded");
  const completions = at(job, "spec", "completions");
  if (typeof completions === "number") return `${succeeded}/${completions}`;
  const parallelism = numberAt(job, "spec", "parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: unknown, now: Date): string {
  const start = textAt(job, "status", "startTime");
  if (!start) return "";
  const end = textAt(job, "status", "completionTime");
  return humanDuration((end ? Date.parse(end) : now.getTime()) - Date.parse(start));
}
