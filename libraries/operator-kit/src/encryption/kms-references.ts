import type { JsonObject } from "@keelson/base";
import { type KubeApi, type KubeResource, resources, textAt } from "@keelson/kube";
import type { ReferenceData } from "./kms-key.ts";
import { caReference, type PluginReference, parseKmsPlugin, roleReference } from "./kms-plugin.ts";

const namespace = "openshift-config";

/**
 * What a plugin's configuration refers to, as it is now, from the server.
 * @throws Error for a reference that is not there, or lacks a key
 */
export async function readReferences(
  plugin: JsonObject | undefined,
  api: KubeApi,
  signal: AbortSignal,
): Promise<ReferenceData> {
  const vault = parseKmsPlugin(plugin);
  const authorities = caReference(vault);
  const configMaps = authorities ? await readOne(api, resources.configMaps, authorities, signal) : {};
  return {
    secrets: await readOne(api, resources.secrets, roleReference(vault), signal),
    configMaps: Object.fromEntries(
      Object.entries(configMaps).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
    ),
  };
}

async function readOne(
  api: KubeApi,
  resource: KubeResource,
  { name, keys }: PluginReference,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const kind = resource.kind.toLowerCase();
  const object = await api.find(resource, { namespace, name }, signal);
  if (!object) throw new Error(`failed to get ${kind} ${name} in ${namespace}: not found`);
  const values = keys.map((key): readonly [string, string] => {
    const value = textAt(object, "data", key) ?? "";
    if (value === "") throw new Error(`${kind} ${name} in ${namespace} is missing required key "${key}"`);
    return [`${name}_${key}`, value];
  });
  return Object.fromEntries(values);
}
