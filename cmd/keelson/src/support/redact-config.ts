import { isPlainObject, redactText as redactPatterns } from "@keelson/base";

const redacted = "[REDACTED]";

/** Field of the configuration schema, identified by its path: `database.url`, `versions[].version`, `registries.*.password`. */
export interface SchemaField {
  readonly path: string;
  readonly isSecret: boolean;
}

export interface RedactedConfig {
  readonly config: unknown;
  /** Removed secret values. They must also be removed from the remaining files of the bundle. */
  readonly secrets: readonly string[];
}

/** Replaces secret values, and the values of fields that are not in the schema. */
export function redactConfig(config: unknown, fields: readonly SchemaField[]): RedactedConfig {
  const known = new Map(fields.map(({ path, isSecret }) => [path, isSecret]));
  const secrets: string[] = [];
  const remove = (value: unknown): unknown => {
    secrets.push(...stringsIn(value));
    return redacted;
  };
  const visit = (value: unknown, path: string): unknown => {
    if (known.get(path) === true) return remove(value);
    if (Array.isArray(value)) {
      // Array elements that are strings, numbers or booleans have no schema entry. The entry of the array determines whether they
      // are redacted.
      return value.map((each) => {
        if (isPlainObject(each)) return visit(each, `${path}[]`);
        return known.has(path) ? each : remove(each);
      });
    }
    if (isPlainObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, visit(each, pathOf(path, name, known))]),
      );
    }
    return path === "" || known.has(path) ? value : remove(value);
  };
  return { config: visit(config, ""), secrets };
}

/** Returns the path of a field in the schema. In objects with arbitrary field names, `*` replaces the field's name. */
function pathOf(path: string, name: string, known: ReadonlyMap<string, boolean>): string {
  const own = path === "" ? name : `${path}.${name}`;
  if (known.has(own)) return own;
  const anyName = `${path}.*`;
  return [...known.keys()].some((each) => each.startsWith(`${anyName}.`)) ? anyName : own;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value, ...passwordsIn(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isPlainObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Returns the password in a URL, both URL-encoded and decoded. */
function passwordsIn(text: string): readonly string[] {
  const { password = "" } = URL.parse(text) ?? {};
  return password === "" ? [] : [password, decodeURIComponent(password)];
}

const shortestSecret = 6;
/** Matches complete tokens and private keys, including JWE. */
const credentials =
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|\b(?:Bearer|Basic) +[\w+/=.~-]{8,}/g;

/** Removes tokens, private keys, other credentials and the secrets of the configuration from a string. */
export function redactText(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of new Set(secrets))
    if (secret.length >= shortestSecret) result = result.replaceAll(secret, redacted);
  return redactPatterns(result.replaceAll(credentials, redacted));
}
