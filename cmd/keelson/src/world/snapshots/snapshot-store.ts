import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSnapshotName, type Snapshot, snapshotNameForm } from "../../state/snapshot.ts";
import { snapshotErrors } from "./snapshot-errors.ts";
import { copyWorld, removeStagedWorld, stagedWorld } from "./world-files.ts";

/** Snapshot of the empty world, which `keelson sim reset` restores. No user can choose this name. */
export const emptyWorld = ".empty";

const description = "snapshot.json";

/** Snapshots of one state directory, in its directory `snapshots`. */
export class SnapshotStore {
  readonly #directory: string;
  readonly #snapshots: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#snapshots = join(directory, "snapshots");
  }

  has(name: string): boolean {
    return existsSync(join(this.#path(name), description));
  }

  async list(): Promise<readonly Snapshot[]> {
    if (!existsSync(this.#snapshots)) return [];
    const names = (await readdir(this.#snapshots)).filter((name) => isSnapshotName(name) && this.has(name));
    return Promise.all(names.sort().map((name) => this.get(name)));
  }

  /** @throws SnapshotNotFound */
  async get(name: string): Promise<Snapshot> {
    if (!this.has(name))
      throw snapshotErrors.SnapshotNotFound(
        `Snapshot "${name}" not found. Run \`keelson sim snapshot list\` to see all snapshots.`,
      );
    return JSON.parse(await readFile(join(this.#path(name), description), "utf8"));
  }

  /** Saves the world's files, which must not change during the call. A crash leaves no incomplete snapshot. */
  async save(name: string, created: Date, version: string): Promise<Snapshot> {
    const draft = join(this.#snapshots, `.${name}.new`);
    await mkdir(this.#snapshots, { recursive: true, mode: 0o700 });
    await rm(draft, { recursive: true, force: true });
    try {
      await copyWorld(this.#directory, draft);
      const bytes = await bytesIn(draft);
      const snapshot: Snapshot = { name, created: created.toISOString(), version, bytes };
      await writeFile(join(draft, description), `${JSON.stringify(snapshot)}\n`, { mode: 0o600 });
      await rm(this.#path(name), { recursive: true, force: true });
      await rename(draft, this.#path(name));
      return snapshot;
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  }

  /** Copies a snapshot to a new directory next to the world's files. @throws SnapshotNotFound @returns its path */
  async stage(name: string): Promise<string> {
    await this.get(name);
    const staged = await this.stageEmpty();
    try {
      await copyWorld(this.#path(name), staged);
      return staged;
    } catch (error) {
      await removeStagedWorld(this.#directory);
      throw error;
    }
  }

  /** Creates a new directory for an empty world next to the world's files. @returns its path */
  async stageEmpty(): Promise<string> {
    const staged = stagedWorld(this.#directory);
    await removeStagedWorld(this.#directory);
    await mkdir(staged, { mode: 0o700 });
    return staged;
  }

  /** @throws SnapshotNotFound */
  async remove(name: string): Promise<Snapshot> {
    const snapshot = await this.get(name);
    await rm(this.#path(name), { recursive: true });
    return snapshot;
  }

  #path(name: string): string {
    if (name !== emptyWorld) requireSnapshotName(name);
    return join(this.#snapshots, name);
  }
}

/** @throws SnapshotNameInvalid */
export function requireSnapshotName(name: string): void {
  if (!isSnapshotName(name))
    throw snapshotErrors.SnapshotNameInvalid(`Invalid snapshot name "${name}": ${snapshotNameForm}.`);
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
