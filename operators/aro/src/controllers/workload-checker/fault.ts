import { boundedText, stringAt } from "@keelson/base";
import { findCondition } from "@keelson/kube";

/** Reason why a workload is not ready. */
export interface Fault {
  readonly message: string;
  /** Start of the fault in RFC 3339. Undefined if the object does not report it. */
  readonly since?: string;
}

/** Creates a fault. Its start time is the first defined value of `since`. */
export function fault(message: string, ...since: readonly (string | undefined)[]): Fault {
  const time = since.find((each) => each !== undefined);
  return { message: boundedText(message, 200), ...(time === undefined ? {} : { since: time }) };
}

export function conditionAt(object: unknown, type: string) {
  const found = findCondition(object, type);
  const text = (name: string) => stringAt(found, name);
  return { status: text("status"), reason: text("reason"), since: text("lastTransitionTime") };
}
