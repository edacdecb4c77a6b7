import type { MachineRef } from "../ssh/cluster-guests.ts";

export interface MachinePort {
  readonly machine: MachineRef;
  readonly port: number;
}

/**
 * Path of a machine's port, for a request with `Upgrade: tcp`. It carries only the tags by which a machine belongs to a cluster.
 */
export function machinePath({ machine: { name, tags }, port }: MachinePort): string {
  const owned = new URLSearchParams();
  for (const [tag, value] of Object.entries(tags)) if (value === "owned") owned.append("owned", tag);
  return `/machines/${name}/ports/${port}?${owned}`;
}

/** Returns undefined for a path that `machinePath` does not make. */
export function parseMachinePath(path: string): MachinePort | undefined {
  const [, name, port, query] = /^\/machines\/([\w.-]+)\/ports\/(\d{1,5})\?(.*)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const owned = new URLSearchParams(query).getAll("owned");
  return {
    machine: { name, tags: Object.fromEntries(owned.map((tag) => [tag, "owned"])) },
    port: Number(port),
  };
}
