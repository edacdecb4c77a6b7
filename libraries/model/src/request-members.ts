import { CloudError } from "@keelson/arm";
import { malformed } from "./malformed.ts";

/**
 * A member of a body that administrators send, by its name in any case: the original's models of them were written
 * by hand. One that matches exactly goes first.
 */
export function memberOf(object: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const folded = name.toLowerCase();
  const sent = Object.keys(object).find((each) => each.toLowerCase() === folded);
  return sent === undefined ? undefined : object[sent];
}

/** A text of a request's body, empty when absent. @throws CloudError InvalidRequestContent */
export function textAt(object: Record<string, unknown>, name: string, path = name): string {
  const value = memberOf(object, name) ?? "";
  if (typeof value !== "string") throw malformed(path, "a string", value);
  return value;
}

/** A whole number, 0 when absent. @throws CloudError InvalidRequestContent */
export function integerAt(object: Record<string, unknown>, name: string): number {
  const value = memberOf(object, name) ?? 0;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw malformed(name, "an integer", value);
  return value;
}

export function invalid(target: string, message: string): CloudError {
  return new CloudError("InvalidParameter", message, { target });
}
