import type { AggregatedResource } from "@keelson/apiserver";

type Column = NonNullable<AggregatedResource["columns"]>[number];

/** A column of text that `oc get` prints. */
export function textColumn(name: string, jsonPath: string): Column {
  return { name, type: "string", jsonPath, priority: 0 };
}

export const ageColumn: Column = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  priority: 0,
};
