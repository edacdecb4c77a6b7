import { eventRules } from "../core/event.ts";
import { eventColumns } from "../core/event-columns.ts";
import { toCoreEvent } from "../core/event-conversion.ts";
import type { Kind } from "../kind.ts";

export const eventsEvent: Kind = {
  group: "events.k8s.io",
  versions: ["v1"],
  kind: "Event",
  plural: "events",
  shortNames: ["ev"],
  namespaced: true,
  storedAs: "/events",
  convertTo: { v1: toCoreEvent },
  columns: eventColumns,
  selectableFields: {
    fields: {
      "regarding.kind": {},
      "regarding.namespace": {},
      "regarding.name": {},
      "regarding.uid": {},
      "regarding.apiVersion": {},
      "regarding.resourceVersion": {},
      "regarding.fieldPath": {},
      reason: {},
      reportingController: {},
      type: {},
    },
  },
  quota: "none",
  types: {
    defaults: `
events.v1.Event eventTime=null
`,
    checks: {
      "events.v1.Event": [
        ["", eventRules({ involved: "regarding", controller: "reportingController", message: "note" })],
      ],
    },
    protobuf: `
events.v1.Event metadata=1 eventTime=2 series=3 reportingController=4 reportingInstance=5 action=6 reason=7 regarding=8 related=9 note=10 type=11 deprecatedSource=12 deprecatedFirstTimestamp=13 deprecatedLastTimestamp=14 deprecatedCount=15
events.v1.EventSeries count=1* lastObservedTime=2
`,
  },
};
