import { isPlainObject } from "@keelson/base";
import type { SparseConfig } from "./sparse-merge.ts";

/** Field names, starting at the root of the configuration. */
export type ConfigPath = readonly string[];

/** Returns only the values at the given paths. */
export function pruneConfig(config: SparseConfig, paths: readonly ConfigPath[]): SparseConfig {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(config)) {
    const below = paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
    if (below.some((path) => path.length === 0)) kept.push([name, value]);
    else if (below.length > 0 && isPlainObject(value)) {
      const inner = pruneConfig(value, below);
      if (Object.keys(inner).length > 0) kept.push([name, inner]);
    }
  }
  return Object.fromEntries(kept);
}

/** True if the paths are equal, or if one path is a prefix of the other. */
export function pathsOverlap(one: ConfigPath, other: ConfigPath): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).every((name, index) => name === other[index]);
}

/** Formats a path for messages, for example `servingInfo.namedCertificates`. */
export function pathText(path: ConfigPath): string {
  return path
    .map((name) => (/^[\w-]+$/.test(name) ? name : `["${name}"]`))
    .join(".")
    .replaceAll(".[", "[");
}

/** Returns the value at a path. Undefined if a parent field is missing. */
export function configAt(config: unknown, path: ConfigPath): unknown {
  let value = config;
  for (const name of path)
    value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Returns a configuration that contains only `value`, at the given path. */
export function configWith(path: ConfigPath, value: unknown): SparseConfig {
  const [name, ...rest] = path;
  if (name === undefined) throw new Error("cannot set the root of a configuration");
  return { [name]: rest.length === 0 ? value : configWith(rest, value) };
}
