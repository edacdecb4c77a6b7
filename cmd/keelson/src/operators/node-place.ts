import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeFiles, PlaceOf } from "@keelson/operator-kit";
import { ContainerRoot, type RootMount } from "@keelson/operator-kit/container-root";
import type { ProgramEnvironment } from "../process/program-environment.ts";

/**
 * Returns a function that maps node paths to paths on this machine. The paths of a simulated container are below its root
 * directory. The function does not resolve symbolic links.
 */
export function nodePlace({ KEELSON_ROOT: root }: ProgramEnvironment): PlaceOf {
  return root ? (path) => join(root, join("/", path)) : (path) => path;
}

/** Returns the file system of the node or simulated container that runs this program. */
export function nodeFiles(environment: ProgramEnvironment): NodeFiles | PlaceOf {
  return containerRoot(environment) ?? ((path) => path);
}

/** Returns a file reader for the node or simulated container that runs this program. */
export function nodeReader(environment: ProgramEnvironment): (path: string) => Promise<Buffer> {
  const root = containerRoot(environment);
  return root ? (path) => root.readFile(path) : (path) => readFile(path);
}

/** Returns the file system of the simulated container. Undefined on a real node. */
export function containerRoot({
  KEELSON_ROOT: root,
  KEELSON_MOUNTS: mounts = "[]",
}: ProgramEnvironment): ContainerRoot | undefined {
  if (!root) return undefined;
  // The value is trusted, because only the simulated kubelet sets it. Containers cannot set variables with the prefix KEELSON_.
  const parsed: readonly RootMount[] = JSON.parse(mounts);
  return new ContainerRoot(root, parsed);
}
