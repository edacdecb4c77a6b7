import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { qualifiedNameFaults } from "../../catalogue/names.ts";
import type { Check } from "../../catalogue/type-facts.ts";
import type { Kind } from "../kind.ts";
import { eventColumns } from "./event-columns.ts";
import { toEventsEvent } from "./event-conversion.ts";

/**
 * Built-in kind Event. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go.
 */
export const event: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Event",
  plural: "events",
  shortNames: ["ev"],
  namespaced: true,
  description: "A report that something happened to an object.",
  convertTo: { "events.k8s.io/v1": toEventsEvent },
  strategy: { createsOnUpdate: true, validate: newEventRules },
  columns: eventColumns,
  selectableFields: {
    fields: {
      "involvedObject.kind": {},
      "involvedObject.namespace": {},
      "involvedObject.name": {},
      "involvedObject.uid": {},
      "involvedObject.apiVersion": {},
      "involvedObject.resourceVersion": {},
      "involvedObject.fieldPath": {},
      reason: {},
      reportingComponent: {},
      source: { path: "source.component" },
      type: {},
    },
  },
  quota: "none",
  types: {
    defaults: `
core.v1.Event eventTime=null reportingComponent="" reportingInstance=""
`,
    checks: {
      "core.v1.Event": [
        [
          "",
          eventRules({ involved: "involvedObject", controller: "reportingComponent", message: "message" }),
        ],
      ],
    },
    protobuf: `
core.v1.Event metadata=1 involvedObject=2 reason=3 message=4 source=5 firstTimestamp=6 lastTimestamp=7 count=8 type=9 eventTime=10 series=11 action=12 related=13 reportingComponent=14* reportingInstance=15*
core.v1.EventSeries count=1 lastObservedTime=2
`,
  },
};

const maxNameLength = 128;
const maxMessageLength = 1_024;

/** Rules for Events of both core/v1 and events.k8s.io/v1. Source: kubernetes pkg/apis/core/validation/events.go. */
export function eventRules(names: EventNames): Check {
  return (event, findings) => {
    const namespace = scalarStringAt(event, "metadata", "namespace");
    const involved = scalarStringAt(event, names.involved, "namespace");
    const mismatch = () =>
      findings.invalid(involved, "does not match event.namespace", "involvedObject", "namespace");
    if (!valueAt(event, "eventTime")) {
      if (involved === "" ? namespace !== "default" : involved !== namespace) mismatch();
      return;
    }
    if (involved === "" && namespace !== "default" && namespace !== "kube-system") mismatch();
    const controller = scalarStringAt(event, names.controller);
    if (controller === "") findings.required("", names.controller);
    for (const why of qualifiedNameFaults(controller)) findings.invalid(controller, why, names.controller);
    for (const field of ["reportingInstance", "action", "reason"]) {
      const text = scalarStringAt(event, field);
      if (text === "") findings.required("", field);
      if (text.length > maxNameLength)
        findings.invalid("", `can have at most ${maxNameLength} characters`, field);
    }
    if (scalarStringAt(event, names.message).length > maxMessageLength)
      findings.invalid("", `can have at most ${maxMessageLength} characters`, "message");
  };
}

/** Validates an Event that is created through events.k8s.io. Fields that exist only in core/v1 must be unset. */
function newEventRules(event: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  if (current || !event.apiVersion.startsWith("events.k8s.io/")) return [];
  const causes: StatusCause[] = [];
  if (!event.eventTime) causes.push(fieldError.required("eventTime"));
  const type = scalarStringAt(event, "type");
  if (type !== "Normal" && type !== "Warning")
    causes.push(fieldError.invalid("type", "", `has invalid value: ${type}`));
  const deprecated = { firstTimestamp: "FirstTimestamp", lastTimestamp: "LastTimestamp", count: "Count" };
  for (const [field, name] of Object.entries(deprecated))
    if (event[`deprecated${name}`]) causes.push(fieldError.invalid(field, "", "needs to be unset"));
  const source = valueAt(event, "deprecatedSource");
  if (scalarStringAt(source, "component") || scalarStringAt(source, "host"))
    causes.push(fieldError.invalid("source", "", "needs to be unset"));
  return causes;
}

/** Names of the fields that differ between the two API groups. */
interface EventNames {
  readonly involved: string;
  readonly controller: string;
  readonly message: string;
}
