import { listAt, stringAt } from "@keelson/base";

/** Returns the entry of `status.conditions` that has the given type. Undefined if the object has no such condition. */
export function findCondition(object: unknown, type: string): unknown {
  return listAt(object, "status", "conditions").find((each) => stringAt(each, "type") === type);
}

/** Returns the status (`True`, `False`, `Unknown`) of a condition. Undefined if the object has no such condition. */
export function conditionStatus(object: unknown, type: string): string | undefined {
  return stringAt(findCondition(object, type), "status");
}
