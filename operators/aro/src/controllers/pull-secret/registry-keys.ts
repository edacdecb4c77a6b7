import { isDeepStrictEqual } from "node:util";
import { exactJson, isPlainObject, stringAt } from "@keelson/base";
import { readJsonObject } from "../../runtime/json-object.ts";

/** The member of a Secret's data that holds registry keys. */
export const dockerConfig = ".dockerconfigjson";

/** Those whose keys the cluster's status names, in this order. */
const redHatRegistries = ["registry.redhat.io", "cloud.openshift.com", "registry.connect.redhat.com"];

export type RegistryKeys = Readonly<Record<string, unknown>>;

/** The keys by registry; `undefined` for a text that is not a configuration with keys. */
export function registryKeys(text: string): RegistryKeys | undefined {
  const { auths = {} } = readJsonObject(text) ?? { auths: "none" };
  return isPlainObject(auths) ? auths : undefined;
}

/**
 * The customer's configuration with the service's keys, which win; the same text when it has them. Registries and other
 * members of the customer stay. What is no configuration becomes one of the service's keys alone.
 */
export function withServiceKeys(text: string, serviceKeys: RegistryKeys): string {
  const configuration = readJsonObject(text);
  const present = registryKeys(text);
  const has = ([registry, key]: [string, unknown]) =>
    present && Object.hasOwn(present, registry) && isDeepStrictEqual(present[registry], key);
  if (present && Object.entries(serviceKeys).every(has)) return text;
  return exactJson({ ...configuration, auths: { ...present, ...serviceKeys } });
}

/** The registries of Red Hat that the configuration has a key for. */
export function redHatKeysOf(keys: RegistryKeys): readonly string[] {
  return redHatRegistries.filter(
    (registry) => Object.hasOwn(keys, registry) && stringAt(keys[registry], "auth"),
  );
}
