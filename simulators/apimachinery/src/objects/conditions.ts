import { listAt } from "@keelson/base";
import { scalarStringAt } from "../json/access.ts";

/** Returns the condition of a type in `status.conditions`. */
export function conditionOf(object: unknown, type: string): unknown {
  return listAt(object, "status", "conditions").find((each) => scalarStringAt(each, "type") === type);
}

export function conditionIsTrue(object: unknown, type: string): boolean {
  return scalarStringAt(conditionOf(object, type), "status") === "True";
}
