import type { ConfigPath, SparseConfig } from "@keelson/operator-kit";

/** The path of an argument of the API server. */
export function argumentPath(name: string): ConfigPath {
  return ["apiServerArguments", name];
}

/** Configuration with only these arguments. Undefined arguments are omitted. */
export function withArguments(values: Readonly<Record<string, readonly string[] | undefined>>): SparseConfig {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return set.length === 0 ? {} : { apiServerArguments: Object.fromEntries(set) };
}
