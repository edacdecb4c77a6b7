import type { MachineRef } from "../ssh/cluster-guests.ts";

export interface MachinePort {
  readonly machine: MachineRef;
  readonly port: number;
}

/** Returns the path for a connection to a machine port. The request needs `Upgrade: tcp`. */
export function machinePath({ machine: { id }, port }: MachinePort): string {
  return `/machines/${encodeURIComponent(id)}/ports/${port}`;
}

/** Parses a path in the format of `machinePath`. `undefined` for other paths. */
export function parseMachinePath(path: string): MachinePort | undefined {
  const [, encoded, port] =
    /^\/machines\/((?:[\w.!~*'()-]|%[0-9A-F]{2})+)\/ports\/(\d{1,5})$/.exec(path) ?? [];
  const id = encoded === undefined ? undefined : decoded(encoded);
  return id === undefined ? undefined : { machine: { id }, port: Number(port) };
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
