import { textAt } from "@keelson/apimachinery";
import type { Findings } from "../../catalogue/findings.ts";
import type { Kind } from "../kind.ts";
import { eventColumns } from "./event-columns.ts";
import { toEventsEvent } from "./event-conversion.ts";

/** Facts: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go. */
export const event: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Event",
  plural: "events",
  shortNames: ["ev"],
  namespaced: true,
  description: "A report that something happened to an object.",
  convertTo: { "events.k8s.io/v1": toEventsEvent },
  strategy: { createsOnUpdate: true },
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
    checks: {
      "core.v1.Event": [["", eventNamespace]],
    },
    protobuf: `
core.v1.Event metadata=1 involvedObject=2 reason=3 message=4 source=5 firstTimestamp=6 lastTimestamp=7 count=8 type=9 eventTime=10 series=11 action=12 related=13 reportingComponent=14* reportingInstance=15*
core.v1.EventSeries count=1 lastObservedTime=2
`,
  },
};

function eventNamespace(event: unknown, findings: Findings): void {
  const involved = textAt(event, "involvedObject", "namespace");
  const own = textAt(event, "metadata", "namespace");
  if (involved !== "" && involved !== own)
    findings.invalid(involved, "does not match event.namespace", "involvedObject", "namespace");
}
