import { isPlainObject } from "@keelson/base";

const redacted = "REDACTED";
/** Annotation in which kubectl stores the complete object. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces Secret values inside an object or list. Sync sets contain Secrets of clusters in `resources` and `patches`. References
 * such as `secretMappings` are not changed.
 */
export function redactSecrets(object: object): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, redactValue(name, value)]));
}

function redactValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => redactValue(name, each));
  if (name === lastApplied) return redacted;
  if (!isPlainObject(value)) return value;
  const fields = redactSecrets(value);
  return value.kind === "Secret" ? withoutValues({ ...fields }) : fields;
}

/** Redacts the values of a Secret, or of a patch for a Secret in a sync set. The keys are not changed. */
function withoutValues(secret: Fields): Fields {
  const hidden = ["data", "stringData", "patch"].flatMap((name) => {
    const value = secret[name];
    if (value === undefined) return [];
    return [[name, isPlainObject(value) ? mapValues(value) : redacted]];
  });
  return { ...secret, ...Object.fromEntries(hidden) };
}

function mapValues(fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, redacted]));
}
