import { isPlainObject } from "@keelson/base";

/** Matches names of fields with confidential strings. The names of Secret objects are not confidential. */
const confidential = /(password|passwd|secret|token|credentials?|private-?key|api-?key)$/i;
/** Matches names of environment variables with confidential values. */
const confidentialVariable = /PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIAL|PRIVATE_?KEY|API_?KEY/i;
/** Annotations that contain a copy of the complete object, including its confidential values. */
const copies: ReadonlySet<string> = new Set(["kubectl.kubernetes.io/last-applied-configuration"]);

/**
 * Returns an object without managed fields and without strings that may be confidential. Removed strings are fields and
 * environment variables with confidential names, and the files of a MachineConfig. One of these files is the pull secret.
 */
export function redacted(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { metadata, ...rest } = object;
  if (!isPlainObject(metadata)) return fieldsOf(object);
  const { managedFields: _, ...kept } = metadata;
  return { ...fieldsOf({ metadata: kept }), ...fieldsOf(rest) };
}

function fieldsOf(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isVariable = typeof object.name === "string" && confidentialVariable.test(object.name);
  const entries = Object.entries(object)
    .filter(([name]) => !copies.has(name))
    .map(([name, value]) => {
      const hides = confidential.test(name) || (isVariable && name === "value");
      return [name, hides && typeof value === "string" && value !== "" ? notShown(value) : shownValue(value)];
    });
  return Object.fromEntries(entries);
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  if (isPlainObject(value)) return fieldsOf(value);
  return typeof value === "string" && value.startsWith("data:") ? notShown(value) : value;
}

const notShown = (value: string): string => `(not shown: ${value.length} characters)`;
