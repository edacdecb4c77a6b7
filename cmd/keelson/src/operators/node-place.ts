import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeFiles, PlaceOf } from "@keelson/operator-kit";
import { ContainerRoot, type RootMount } from "@keelson/operator-kit/container-root";
import type { ProgramEnvironment } from "../process/program-environment.ts";

/**
 * Maps paths of a node to this machine: a simulated container, which runs on this machine, has its own directory for
 * `/`. Links are left to the kernel.
 */
export function nodePlace({ KEELSON_ROOT: root }: ProgramEnvironment): PlaceOf {
  return root ? (path) => join(root, join("/", path)) : (path) => path;
}

/** File system of the node or simulated container that this program runs in. */
export function nodeFiles(environment: ProgramEnvironment): NodeFiles | PlaceOf {
  return containerRoot(environment) ?? ((path) => path);
}

/** Reads files of the node or simulated container that this program runs in. */
export function nodeReader(environment: ProgramEnvironment): (path: string) => Promise<Buffer> {
  const root = containerRoot(environment);
  return root ? (path) => root.readFile(path) : (path) => readFile(path);
}

/** File system of the simulated container. Undefined on a real node. */
export function containerRoot({
  KEELSON_ROOT: root,
  KEELSON_MOUNTS: mounts = "[]",
}: ProgramEnvironment): ContainerRoot | undefined {
  if (!root) return undefined;
  // The kubelet writes it: names with the prefix KEELSON_ are not the container's.
  const parsed: readonly RootMount[] = JSON.parse(mounts);
  return new ContainerRoot(root, parsed);
}
