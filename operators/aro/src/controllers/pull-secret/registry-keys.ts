import { isDeepStrictEqual } from "node:util";
import { exactJson, isPlainObject, stringAt } from "@keelson/base";
import { readJsonObject } from "../../runtime/json-object.ts";

/** Data field of a Secret that contains the registry credentials. */
export const dockerConfig = ".dockerconfigjson";

/** Red Hat registries, in the order in which the Cluster's status lists them. */
const redHatRegistries = ["registry.redhat.io", "cloud.openshift.com", "registry.connect.redhat.com"];

export type RegistryKeys = Readonly<Record<string, unknown>>;

/** Returns the credentials by registry. `undefined` if the string is not a configuration with credentials. */
export function registryKeys(text: string): RegistryKeys | undefined {
  const { auths = {} } = readJsonObject(text) ?? { auths: "none" };
  return isPlainObject(auths) ? auths : undefined;
}

/**
 * Adds the service's credentials to the customer's configuration, where they replace credentials for the same registry. Returns
 * `text` itself if it already contains the service's credentials. Other registries and fields are preserved. An invalid
 * configuration is replaced by a configuration with only the service's credentials.
 */
export function withServiceKeys(text: string, serviceKeys: RegistryKeys): string {
  const configuration = readJsonObject(text);
  const present = registryKeys(text);
  const has = ([registry, key]: [string, unknown]) =>
    present && Object.hasOwn(present, registry) && isDeepStrictEqual(present[registry], key);
  if (present && Object.entries(serviceKeys).every(has)) return text;
  return exactJson({ ...configuration, auths: { ...present, ...serviceKeys } });
}

/** Returns the Red Hat registries for which the configuration has credentials. */
export function redHatKeysOf(keys: RegistryKeys): readonly string[] {
  return redHatRegistries.filter(
    (registry) => Object.hasOwn(keys, registry) && stringAt(keys[registry], "auth"),
  );
}
