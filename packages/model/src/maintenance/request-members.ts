import { CloudError } from "@keelson/arm";
import { malformed } from "../malformed.ts";

/** A text of a request's body, empty when absent. @throws CloudError InvalidRequestContent */
export function textAt(object: Record<string, unknown>, name: string, path = name): string {
  const value = object[name] ?? "";
  if (typeof value !== "string") throw malformed(path, "a string", value);
  return value;
}

/** A whole number, 0 when absent. @throws CloudError InvalidRequestContent */
export function integerAt(object: Record<string, unknown>, name: string): number {
  const value = object[name] ?? 0;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw malformed(name, "an integer", value);
  return value;
}

export function invalid(target: string, message: string): CloudError {
  return new CloudError("InvalidParameter", message, { target });
}
