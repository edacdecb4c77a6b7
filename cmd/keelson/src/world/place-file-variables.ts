import { realpath } from "node:fs/promises";
import { containerRoot, nodePlace } from "../operators/node-place.ts";
import type { ProgramEnvironment } from "../process/program-environment.ts";

/**
 * Replaces the paths in variables named `*_FILE` by paths on this machine. Operators read these files repeatedly, because the
 * kubelet updates them through symbolic links.
 * @throws Error if a link in such a path leaves the container
 */
export async function placeFileVariables(environment: ProgramEnvironment): Promise<ProgramEnvironment> {
  const place = nodePlace(environment);
  const entries = Object.entries(environment).map(async ([name, value]) => {
    if (!name.endsWith("_FILE") || !value) return [name, value];
    await checkLinks(name, value, environment);
    return [name, place(value)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function checkLinks(name: string, path: string, environment: ProgramEnvironment): Promise<void> {
  const resolved = await containerRoot(environment)?.resolve(path);
  if (resolved === undefined) return;
  const [real, expected] = await Promise.all([existing(nodePlace(environment)(path)), existing(resolved)]);
  if (real !== undefined && real !== expected)
    throw new Error(`${name}: a symbolic link of ${path} leaves the container`);
}

/** Resolves all links of a path like the kernel. Returns undefined for a missing file. */
function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
