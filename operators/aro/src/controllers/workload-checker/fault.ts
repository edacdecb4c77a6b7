import { boundedText, stringAt } from "@keelson/base";
import { findCondition } from "@keelson/kube";

/** Why a workload is not ready. */
export interface Fault {
  readonly message: string;
  /** RFC 3339; absent where the object does not say. */
  readonly since?: string;
}

/** `since`: the first of the times that there is. */
export function fault(message: string, ...since: readonly (string | undefined)[]): Fault {
  const time = since.find((each) => each !== undefined);
  return { message: boundedText(message, 200), ...(time === undefined ? {} : { since: time }) };
}

export function conditionAt(object: unknown, type: string) {
  const found = findCondition(object, type);
  const text = (name: string) => stringAt(found, name);
  return { status: text("status"), reason: text("reason"), since: text("lastTransitionTime") };
}
