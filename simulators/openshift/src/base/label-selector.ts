import { listAt, stringAt } from "@keelson/base";
import { stringMapAt } from "./fields.ts";

/** True if a label selector (meta.k8s.io/v1 LabelSelector) matches these labels. An empty selector matches all labels. */
export function selectsLabels(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(stringMapAt(selector, "matchLabels")).every(
    ([key, value]) => labels[key] === value,
  );
  return equal && listAt(selector, "matchExpressions").every((each) => meets(each, labels));
}

function meets(requirement: unknown, labels: Readonly<Record<string, string>>): boolean {
  const key = stringAt(requirement, "key") ?? "";
  const value = labels[key];
  const listed = value !== undefined && listAt(requirement, "values").includes(value);
  switch (stringAt(requirement, "operator")) {
    case "In":
      return listed;
    case "NotIn":
      return !listed;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}
