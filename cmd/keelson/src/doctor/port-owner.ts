import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { printable } from "../output/printable.ts";

export interface PortOwner {
  readonly pid: number;
  /** Name of the program, for example `node`. */
  readonly name: string;
  /** Command line of the process. */
  readonly command: string;
}

const listening = "0A";

/**
 * Returns the process that listens on a local TCP port. Returns undefined if this user cannot read the process, or if the system
 * is not Linux.
 */
export function portOwner(port: number): PortOwner | undefined {
  const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => socketsIn(table, port)));
  if (sockets.size === 0) return undefined;
  for (const name of list("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    if (list(`/proc/${name}/fd`).some((file) => sockets.has(linkOf(`/proc/${name}/fd/${file}`)))) {
      const program = printable(read(`/proc/${name}/comm`).trim());
      return { pid: Number(name), name: program || "unknown program", command: commandOf(name) };
    }
  }
  return undefined;
}

/** Returns the sockets that listen on a port, in the form of the links in `/proc/PID/fd`. */
function socketsIn(table: string, port: number): readonly string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return read(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(wanted) && state === listening)
    .map((columns) => `socket:[${columns[9]}]`);
}

function commandOf(pid: string): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim().slice(0, 300);
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
