import { isDeepStrictEqual } from "node:util";
import { exactJson, isPlainObject, stringAt } from "@keelson/base";
import { readJsonObject } from "../../runtime/json-object.ts";

/** Field of a Secret's data with the registry keys. */
export const dockerConfig = ".dockerconfigjson";

/** Registries in the Cluster's status, in this order. */
const redHatRegistries = ["registry.redhat.io", "cloud.openshift.com", "registry.connect.redhat.com"];

export type RegistryKeys = Readonly<Record<string, unknown>>;

/** Keys by registry. `undefined` if the string is not a configuration with keys. */
export function registryKeys(text: string): RegistryKeys | undefined {
  const { auths = {} } = readJsonObject(text) ?? { auths: "none" };
  return isPlainObject(auths) ? auths : undefined;
}

/**
 * The customer's configuration with the service's keys, which have priority. Returns the same string if it
 * has them. Preserves other registries and fields. An invalid configuration is replaced by one with only the
 * service's keys.
 */
export function withServiceKeys(text: string, serviceKeys: RegistryKeys): string {
  const configuration = readJsonObject(text);
  const present = registryKeys(text);
  const has = ([registry, key]: [string, unknown]) =>
    present && Object.hasOwn(present, registry) && isDeepStrictEqual(present[registry], key);
  if (present && Object.entries(serviceKeys).every(has)) return text;
  return exactJson({ ...configuration, auths: { ...present, ...serviceKeys } });
}

/** Red Hat registries for which the configuration has a key. */
export function redHatKeysOf(keys: RegistryKeys): readonly string[] {
  return redHatRegistries.filter(
    (registry) => Object.hasOwn(keys, registry) && stringAt(keys[registry], "auth"),
  );
}
