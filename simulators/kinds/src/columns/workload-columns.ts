import { numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { ageColumn, type Column, count, nameColumn, text, wide } from "./column.ts";
import { selectorText } from "./label-text.ts";

export const replicaCounts = [
  nameColumn,
  count("Desired", "spec.replicas"),
  count("Current", "status.replicas"),
  count("Ready", "status.readyReplicas"),
  ageColumn,
  ...templateColumns(),
];

export const selector = wide(text("Selector", (object) => selectorText(valueAt(object, "spec", "selector"))));

export const readyOfDesired = text(
  "Ready",
  (object) =>
    `${numberOrZeroAt(object, "status", "readyReplicas")}/${numberOrZeroAt(object, "spec", "replicas")}`,
);

/** Returns the columns Containers and Images for `-o wide`. `path` is the dotted path of the pod template's containers. */
export function templateColumns(path = "spec.template.spec.containers"): readonly Column[] {
  const members = path.split(".");
  const joined = (member: string) => (object: unknown) =>
    listAt(object, ...members)
      .map((container) => scalarStringAt(container, member))
      .join(",");
  return [wide(text("Containers", joined("name"))), wide(text("Images", joined("image")))];
}
