import type { KubeObject } from "@keelson/apimachinery";
import type { PluginContext } from "./plugin.ts";

/**
 * Returns the newest class with the default annotation. Undefined if no class has the annotation. Classes created in the same
 * second are ordered by name.
 */
export function defaultClass(
  { store }: PluginContext,
  bucket: string,
  annotations: readonly string[],
): KubeObject | undefined {
  const marked = store
    .range(bucket, "")
    .map(({ object }) => object)
    .filter(({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === "true"));
  const created = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? "";
  const [newest] = marked.toSorted((a, b) =>
    created(a) < created(b) ? 1 : created(a) > created(b) ? -1 : 0,
  );
  return newest;
}
