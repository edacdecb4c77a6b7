import { numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { ageOf } from "../../columns/age.ts";
import { type Column, nameColumn, text, textOf, wide } from "../../columns/column.ts";

/** Table columns of Events. core/v1 and events.k8s.io/v1 store the same object with different field names. */
export const eventColumns: readonly Column[] = [
  text("Last Seen", (event, now) =>
    ageOf(valueAt(event, "series", "lastObservedTime") ?? lastSeen(event), now),
  ),
  textOf("Type", "type"),
  textOf("Reason", "reason"),
  text("Object", (event) => {
    const name = scalarStringAt(involved(event), "name");
    const kind = scalarStringAt(involved(event), "kind").toLowerCase();
    return name ? `${kind}/${name}` : kind;
  }),
  wide(text("Subobject", (event) => scalarStringAt(involved(event), "fieldPath"))),
  wide(text("Source", source)),
  text("Message", (event) => (scalarStringAt(event, "message") || scalarStringAt(event, "note")).trim()),
  wide(text("First Seen", (event, now) => ageOf(firstSeen(event), now))),
  { name: "Count", type: "string", priority: 1, cell: occurrences },
  wide(nameColumn),
];

function involved(event: unknown): unknown {
  return valueAt(event, "involvedObject") ?? valueAt(event, "regarding");
}

function firstSeen(event: unknown): unknown {
  return (
    valueAt(event, "firstTimestamp") ??
    valueAt(event, "deprecatedFirstTimestamp") ??
    valueAt(event, "eventTime")
  );
}

function lastSeen(event: unknown): unknown {
  return valueAt(event, "lastTimestamp") ?? valueAt(event, "deprecatedLastTimestamp") ?? firstSeen(event);
}

function occurrences(event: unknown): number {
  const inSeries = numberOrZeroAt(event, "series", "count");
  return inSeries || numberOrZeroAt(event, "count") || numberOrZeroAt(event, "deprecatedCount") || 1;
}

function source(event: unknown): string {
  const origin = valueAt(event, "source") ?? valueAt(event, "deprecatedSource");
  const component =
    scalarStringAt(origin, "component") ||
    scalarStringAt(event, "reportingComponent") ||
    scalarStringAt(event, "reportingController");
  const host = scalarStringAt(origin, "host");
  return host ? `${component}, ${host}` : component;
}
