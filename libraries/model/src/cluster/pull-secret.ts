import { isPlainObject, tryParseJson } from "@keelson/base";

/** Credentials by registry host, in the form of Docker's `config.json`. */
export interface PullSecret {
  readonly auths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Parses a pull secret. The empty string and `null` are valid and mean an empty pull secret. Undefined for an invalid pull
 * secret.
 */
export function parsePullSecret(text: string): PullSecret | undefined {
  const value = tryParseJson(text === "" ? "{}" : text);
  if (value === null) return { auths: {} };
  if (!isPlainObject(value)) return undefined;
  const auths = value.auths ?? {};
  if (!isPlainObject(auths)) return undefined;
  const entries: [string, Record<string, unknown>][] = [];
  for (const [host, credentials] of Object.entries(auths)) {
    if (credentials !== null && !isPlainObject(credentials)) return undefined;
    entries.push([host, credentials ?? {}]);
  }
  return { auths: Object.fromEntries(entries) };
}
