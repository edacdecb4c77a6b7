import { CloudError } from "@keelson/arm";
import { malformed } from "./malformed.ts";

/**
 * Reads a property from a request body of the admin API. The match of the name ignores case, as in the reference service's
 * hand-written models of these bodies. A property that matches exactly takes precedence.
 */
export function requestProperty(object: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const folded = name.toLowerCase();
  const sent = Object.keys(object).find((each) => each.toLowerCase() === folded);
  return sent === undefined ? undefined : object[sent];
}

/**
 * Reads a string from a request body. Default: empty.
 * @throws CloudError InvalidRequestContent
 */
export function requestString(object: Record<string, unknown>, name: string, path = name): string {
  return requireString(requestProperty(object, name) ?? "", path);
}

/**
 * Reads an integer from a request body. Default: 0.
 * @throws CloudError InvalidRequestContent
 */
export function requestInteger(object: Record<string, unknown>, name: string): number {
  const value = requestProperty(object, name) ?? 0;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw malformed(name, "an integer", value);
  return value;
}

/**
 * Returns the value if it is a string.
 * @throws CloudError InvalidRequestContent for other types
 */
export function requireString(value: unknown, path: string): string {
  if (typeof value !== "string") throw malformed(path, "a string", value);
  return value;
}

/**
 * Returns the value if it is a list of strings.
 * @throws CloudError InvalidRequestContent if the value or an element has a different type
 */
export function requireStrings(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) throw malformed(path, "an array", value);
  return value.map((each: unknown, index) => requireString(each, `${path}[${index}]`));
}

export function invalid(target: string, message: string): CloudError {
  return new CloudError("InvalidParameter", message, { target });
}
