import { isPlainObject } from "@keelson/base";
import type { SparseConfig } from "./sparse-merge.ts";

/** Names of members from the root on. */
export type ConfigPath = readonly string[];

/** The configuration with nothing but what is at the paths. */
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

/** One of them is the other, or within it. */
export function pathsOverlap(one: ConfigPath, other: ConfigPath): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).every((name, index) => name === other[index]);
}

/** As messages name it: `servingInfo.namedCertificates`. */
export function pathText(path: ConfigPath): string {
  return path
    .map((name) => (/^[\w-]+$/.test(name) ? name : `["${name}"]`))
    .join(".")
    .replaceAll(".[", "[");
}

/** The value at a path; undefined where it ends early. */
export function configAt(config: unknown, path: ConfigPath): unknown {
  let value = config;
  for (const name of path)
    value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** A configuration with nothing but this value at this path. */
export function configWith(path: ConfigPath, value: unknown): SparseConfig {
  const [name, ...rest] = path;
  if (name === undefined) throw new Error("the root of a configuration has no value of its own");
  return { [name]: rest.length === 0 ? value : configWith(rest, value) };
}
