import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";

/** Error in the configuration of a container, for example a missing Secret. `message` becomes the status message. */
export class ContainerConfigError extends Error {}

/**
 * Returns the environment variables of a container (core/v1 EnvVar, EnvFromSource).
 * @throws ContainerConfigError if a required ConfigMap, Secret or key is missing
 */
export async function containerEnvironment(
  { client }: WorkloadContext,
  pod: KubeObject,
  container: unknown,
  base: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const dataOf = async (kind: "configMap" | "secret", name: string, optional: boolean) => {
    const ref = kind === "configMap" ? resources.configMaps : resources.secrets;
    const found = await client.find(ref, { namespace, name });
    if (!found && !optional) throw new ContainerConfigError(`${kind.toLowerCase()} "${name}" not found`);
    return textsOf(found);
  };
  const env: Record<string, string> = { ...base };
  for (const source of listAt(container, "envFrom")) {
    const prefix = stringAt(source, "prefix") ?? "";
    for (const kind of ["configMap", "secret"] as const) {
      const name = stringAt(source, `${kind}Ref`, "name");
      if (name === undefined) continue;
      const data = await dataOf(kind, name, valueAt(source, `${kind}Ref`, "optional") === true);
      for (const [key, value] of Object.entries(data)) env[`${prefix}${key}`] = value;
    }
  }
  for (const variable of listAt(container, "env")) {
    const name = stringAt(variable, "name") ?? "";
    const value = stringAt(variable, "value");
    const from = valueAt(variable, "valueFrom");
    if (from === undefined) {
      env[name] = expandReferences(value ?? "", env);
      continue;
    }
    const field = stringAt(from, "fieldRef", "fieldPath");
    if (field !== undefined) env[name] = fieldOf(pod, field);
    if (valueAt(from, "resourceFieldRef") !== undefined) env[name] = "1";
    for (const kind of ["configMap", "secret"] as const) {
      const key = stringAt(from, `${kind}KeyRef`, "key");
      const source = stringAt(from, `${kind}KeyRef`, "name");
      if (key === undefined || source === undefined) continue;
      const optional = valueAt(from, `${kind}KeyRef`, "optional") === true;
      const found = (await dataOf(kind, source, optional))[key];
      if (found !== undefined) env[name] = found;
      else if (!optional) {
        throw new ContainerConfigError(
          `couldn't find key ${key} in ${kind === "secret" ? "Secret" : "ConfigMap"} ${namespace}/${source}`,
        );
      }
    }
  }
  return env;
}

/**
 * Replaces each `$(NAME)` with the variable's value. If the variable does not exist, replaces the reference with the result of
 * `absent`. `$$` becomes a dollar sign.
 */
export function expandReferences(
  text: string,
  env: Readonly<Record<string, string>>,
  absent: (name: string, reference: string) => string = (_, reference) => reference,
): string {
  return text.replace(/\$\$|\$\(([^)]+)\)/g, (whole, name: string | undefined) => {
    if (name === undefined) return "$";
    return (Object.hasOwn(env, name) ? env[name] : undefined) ?? absent(name, whole);
  });
}

/** Returns the values of a ConfigMap or Secret as strings. */
export function textsOf(object: KubeObject | undefined): Readonly<Record<string, string>> {
  if (object === undefined) return {};
  if (object.kind !== "Secret") return stringMapAt(object, "data");
  return Object.fromEntries(
    Object.entries(stringMapAt(object, "data")).map(([key, value]) => [
      key,
      Buffer.from(value, "base64").toString(),
    ]),
  );
}

/** Returns a pod field that the downward API exposes. */
export function fieldOf(pod: KubeObject, path: string): string {
  const member = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (member) return stringMapAt(pod, "metadata", member[1] ?? "")[member[2] ?? ""] ?? "";
  if (path === "metadata.labels" || path === "metadata.annotations") {
    return Object.entries(stringMapAt(pod, ...path.split(".")))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join("\n");
  }
  return stringAt(pod, ...path.split(".")) ?? "";
}
