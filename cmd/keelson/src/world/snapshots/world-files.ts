import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Files of the simulated world in a state directory. `certificates` contains the certificates of clusters. The list omits the
 * instance's own files, for example its CA, secrets and ports.
 */
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

/** Lock of the database. An exchange replaces it together with the database, because a standby process may hold the new lock. */
const lock = "database.lock";

/** Matches the databases of the second and later processes of simulated clusters. */
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

async function exchangedFilesIn(directory: string): Promise<readonly string[]> {
  const files = await worldFilesIn(directory);
  return existsSync(join(directory, lock)) ? [...files, lock] : files;
}

/** Matches the links that `linkStagedWorld` creates. */
const link = /^world\.link-\d+$/;

/**
 * Creates a link to the copy that the next exchange uses. A standby process opens its files through the link. `linkWorld` keeps the
 * paths of these files valid after the exchange. @returns the path of the link
 */
export async function linkStagedWorld(directory: string, generation: number): Promise<string> {
  const path = join(directory, `world.link-${generation}`);
  await rm(path, { force: true });
  await symlink(basename(stagedWorld(directory)), path);
  return path;
}

/**
 * Changes the target of a link from the copy to the state directory. After the exchange, the state directory contains the files
 * of the copy.
 */
export async function linkWorld(path: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await symlink(".", draft);
  await rename(draft, path);
}

/** Deletes the links of processes that have exited. */
export async function removeLinks(directory: string, except?: string): Promise<void> {
  for (const name of await readdir(directory))
    if (link.test(name.replace(/\.new$/, "")) && join(directory, name) !== except)
      await rm(join(directory, name), { force: true });
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
    for (const name of await exchangedFilesIn(directory)) {
      await rm(join(old, name), { recursive: true, force: true });
      await rename(join(directory, name), join(old, name));
    }
    await rename(commit, apply);
  }
  if (existsSync(apply)) {
    for (const name of await exchangedFilesIn(apply)) await rename(join(apply, name), join(directory, name));
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
