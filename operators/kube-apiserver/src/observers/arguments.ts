import type { ConfigPath, SparseConfig } from "@keelson/operator-kit";

/** Returns the configuration path of an API server argument. */
export function argumentPath(name: string): ConfigPath {
  return ["apiServerArguments", name];
}

/** Returns a configuration that contains only the given API server arguments. Undefined arguments are omitted. */
export function withArguments(values: Readonly<Record<string, readonly string[] | undefined>>): SparseConfig {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return set.length === 0 ? {} : { apiServerArguments: Object.fromEntries(set) };
}
