import type { AggregatedResource } from "@keelson/apiserver";

type Column = NonNullable<AggregatedResource["columns"]>[number];

/** Returns an `oc get` column of string values. */
export function textColumn(name: string, jsonPath: string): Column {
  return { name, type: "string", jsonPath, priority: 0 };
}

/** Returns an `oc get` column of computed values. */
export function computedColumn(
  name: string,
  cell: NonNullable<Column["cell"]>,
  type: Column["type"] = "string",
): Column {
  return { name, type, jsonPath: "", priority: 0, cell };
}

export const ageColumn: Column = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  priority: 0,
};
