import { realpath } from "node:fs/promises";
import { containerRoot, nodePlace } from "../operators/node-place.ts";
import type { ProgramEnvironment } from "../process/program-environment.ts";

/**
 * Replaces the paths of variables named `*_FILE` by places of this machine. Operators read these files repeatedly,
 * because the kubelet replaces them, and by links that only the kubelet makes.
 * @throws Error if a link of such a path leaves the container
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

/** Path after all links as the kernel follows them. Undefined for a missing file. */
function existing(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
