import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Files of the simulated world in a state directory. Excludes the files with the instance's names, certificates and ports. */
const names: ReadonlySet<string> = new Set([
  "azure-blobs",
  "azure.sqlite",
  "azure.sqlite-wal",
  "certificates",
  "clusters.sqlite",
  "clusters.sqlite-wal",
  "database",
  "hive-nodes",
  "hive.sqlite",
  "hive.sqlite-wal",
  "image-rules.json",
  "installs",
  "nodes",
]);

/** Matches the databases of further processes of simulated clusters. */
const furtherClusters = /^clusters-\d+\.sqlite(?:-wal)?$/;

/** Matches kubeconfigs of clusters. Excludes the kubeconfig of Hive's cluster, which belongs to the instance. */
const kubeconfig = /^(?!hive\.).+\.kubeconfig$/;

/** Directory with the complete new world. Once it exists, the exchange is committed and will be completed. */
const committed = "world.commit";
/** Directory with the new world, under the name that it gets after the old world was moved away. */
const applied = "world.apply";
const removed = "world.old";

/** Returns the path of the copy of a world that the next exchange uses. */
export function stagedWorld(directory: string): string {
  return join(directory, "world.next");
}

async function worldFilesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter(
    (name) => names.has(name) || furtherClusters.test(name) || kubeconfig.test(name),
  );
}

/** Copies the files of the world. File systems with copy-on-write share the data. */
export async function copyWorld(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const options = { recursive: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE };
  for (const name of await worldFilesIn(from)) await cp(join(from, name), join(to, name), options);
}

/**
 * Replaces the world of a state directory with the world in `staged`, a directory on the same file system. No process may use the
 * files. After a crash, `completeExchange` leaves either the complete old world or the complete new world.
 */
export async function exchangeWorld(directory: string, staged: string): Promise<void> {
  await rename(staged, join(directory, committed));
  await completeExchange(directory);
}

/** Completes an exchange that a crash has interrupted. */
export async function completeExchange(directory: string): Promise<void> {
  const [commit, apply, old] = [committed, applied, removed].map((name) => join(directory, name));
  if (!commit || !apply || !old) return;
  if (existsSync(commit)) {
    await mkdir(old, { recursive: true, mode: 0o700 });
    for (const name of await worldFilesIn(directory)) {
      await rm(join(old, name), { recursive: true, force: true });
      await rename(join(directory, name), join(old, name));
    }
    await rename(commit, apply);
  }
  if (existsSync(apply)) {
    for (const name of await worldFilesIn(apply)) await rename(join(apply, name), join(directory, name));
    await rm(apply, { recursive: true });
  }
}

/** Deletes the copy for the next exchange. */
export async function removeStagedWorld(directory: string): Promise<void> {
  await rm(stagedWorld(directory), { recursive: true, force: true });
}

/** Deletes the world that an exchange has replaced. */
export async function removeOldWorld(directory: string): Promise<void> {
  await rm(join(directory, removed), { recursive: true, force: true });
}
