import type { JsonObject } from "@keelson/base";
import { stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import type { ReferenceData } from "./kms-key.ts";
import { caReference, type PluginReference, parseKmsPlugin, roleReference } from "./kms-plugin.ts";

const namespace = "openshift-config";

export type FindObject = (resource: KubeResource, key: ObjectKey) => Promise<KubeObject | undefined>;

/**
 * Reads the current data of all objects that a plugin's configuration references.
 * @throws Error for a missing object or key
 */
export async function readReferences(
  plugin: JsonObject | undefined,
  find: FindObject,
): Promise<ReferenceData> {
  const vault = parseKmsPlugin(plugin);
  const authorities = caReference(vault);
  const configMaps = authorities ? await readOne(find, resources.configMaps, authorities) : {};
  return {
    secrets: await readOne(find, resources.secrets, roleReference(vault)),
    configMaps: Object.fromEntries(
      Object.entries(configMaps).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
    ),
  };
}

async function readOne(
  find: FindObject,
  resource: KubeResource,
  { name, keys }: PluginReference,
): Promise<Readonly<Record<string, string>>> {
  const kind = resource.kind.toLowerCase();
  const object = await find(resource, { namespace, name });
  if (!object) throw new Error(`failed to get ${kind} ${name} in ${namespace}: not found`);
  const values = keys.map((key): readonly [string, string] => {
    const value = stringAt(object, "data", key) ?? "";
    if (value === "") throw new Error(`${kind} ${name} in ${namespace} is missing required key "${key}"`);
    return [`${name}_${key}`, value];
  });
  return Object.fromEntries(values);
}
