import { CloudError } from "@keelson/arm";

/**
 * Returns the error for a property with the wrong JSON type. The message contains the path and the types. It omits the value,
 * which may be a secret. `path` is empty for the body itself.
 */
export function malformed(path: string, expected: string, value: unknown): CloudError {
  const reason = `${path || "the body"} must be ${expected}, not ${describe(value, expected)}`;
  return new CloudError(
    "InvalidRequestContent",
    `The request content was invalid and could not be deserialized: ${JSON.stringify(reason)}.`,
    path === "" ? {} : { target: path },
  );
}

function describe(value: unknown, expected: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (value === undefined) return "nothing";
  if (typeof value === "number" && expected === "an integer") return "such a number";
  return `a ${typeof value}`;
}
