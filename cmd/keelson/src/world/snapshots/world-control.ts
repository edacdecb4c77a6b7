import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { newestRevision, raiseRevisions } from "@keelson/apiserver/revisions";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { Restored, Snapshot } from "../../state/snapshot.ts";
import { snapshotErrors } from "./snapshot-errors.ts";
import { emptyWorld, requireSnapshotName, SnapshotStore } from "./snapshot-store.ts";
import { exchangeWorld, removeOldWorld } from "./world-files.ts";

/** Processes that use the files of the world. */
export interface WorldProcesses {
  /** Prepares a fast `start`, for example by loading modules. */
  prepare(): Promise<void>;
  /** Makes the processes write no files until the result is disposed. */
  pause(): Promise<AsyncDisposable>;
  /** Stops the processes as in a crash. The files do not change afterwards. */
  stop(): Promise<void>;
  /** Starts the processes. Resolves when all are serving. */
  start(): Promise<void>;
}

export interface WorldControlOptions {
  readonly directory: string;
  readonly processes: WorldProcesses;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Matches the databases of the API servers. Their revisions must not decrease, because clients remember revisions as resource
 * versions.
 */
const journal = /^(?:clusters(?:-\d+)?|hive)\.sqlite$/;

/**
 * Saves and restores the simulated world of a running instance. Only one operation runs at a time. Disposal waits for the copy that
 * the next restore would use, and deletes it.
 */
export class WorldControl implements AsyncDisposable {
  readonly #options: WorldControlOptions;
  readonly #store: SnapshotStore;
  #operation: string | undefined;
  /** Copy of the last restored snapshot, which the next restore of this snapshot uses. */
  #copy: { readonly name: string; readonly path: Promise<string | undefined> } | undefined;

  constructor(options: WorldControlOptions) {
    this.#options = options;
    this.#store = new SnapshotStore(options.directory);
  }

  list(): Promise<readonly Snapshot[]> {
    return this.#store.list();
  }

  /** @throws SnapshotExists if the snapshot exists and `replace` is false; SnapshotBusy */
  save(name: string, { replace }: { readonly replace: boolean }): Promise<Snapshot> {
    return this.#exclusively(`save of ${name}`, async () => {
      requireSnapshotName(name);
      if (!replace && this.#store.has(name))
        throw snapshotErrors.SnapshotExists(
          `Snapshot "${name}" exists. Use \`--replace\` to replace it, or a different name.`,
        );
      await this.#dropCopy();
      return this.#save(name);
    });
  }

  /** @throws SnapshotNotFound, SnapshotBusy */
  remove(name: string): Promise<Snapshot> {
    return this.#exclusively(`removal of ${name}`, async () => {
      requireSnapshotName(name);
      await this.#dropCopy();
      return this.#store.remove(name);
    });
  }

  /** @throws SnapshotNotFound, SnapshotBusy, SnapshotFailed */
  restore(name: string): Promise<Restored> {
    return this.#exclusively(`restore of ${name}`, async () => {
      requireSnapshotName(name);
      return this.#replaceBy(name, await this.#staged(name));
    });
  }

  /**
   * Restores the empty world. It contains no clusters, but it contains the resources of a new instance.
   * @throws as `restore`
   */
  reset(): Promise<Restored> {
    return this.#exclusively("reset", async () => {
      const isSaved = this.#store.has(emptyWorld);
      if (isSaved) return this.#replaceBy(emptyWorld, await this.#staged(emptyWorld));
      await this.#dropCopy();
      const restored = await this.#replaceBy(undefined, await this.#store.stageEmpty());
      // Saves the empty world, so that the next reset does not need to create a database.
      await this.#save(emptyWorld);
      this.#prepareNext(emptyWorld);
      return restored;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropCopy();
  }

  async #save(name: string): Promise<Snapshot> {
    const { processes, clock, version } = this.#options;
    await using _paused = await processes.pause();
    return await this.#store.save(name, clock.now(), version);
  }

  /** Returns a directory with a copy of a snapshot. @throws SnapshotNotFound */
  async #staged(name: string): Promise<string> {
    const copy = this.#copy;
    if (copy?.name !== name) {
      await this.#dropCopy();
      return this.#store.stage(name);
    }
    this.#copy = undefined;
    return (await copy.path) ?? this.#store.stage(name);
  }

  /** Waits until no copy is written, so that the snapshots can change. Deletes the copy, because no restore will use it. */
  async #dropCopy(): Promise<void> {
    const copy = this.#copy;
    this.#copy = undefined;
    const path = await copy?.path;
    if (path !== undefined) await rm(path, { recursive: true, force: true });
  }

  /** Deletes the replaced world and prepares the next restore, because tests restore the same snapshot often. */
  #prepareNext(name: string): void {
    const { directory, processes, logger } = this.#options;
    const copy = async () => {
      try {
        await removeOldWorld(directory);
        return await this.#store.stage(name);
      } catch (error) {
        logger.warn({ name, error: messageOf(error) }, "the snapshot was not copied in advance");
        return undefined;
      }
    };
    this.#copy = { name, path: copy() };
    void processes.prepare();
  }

  async #replaceBy(name: string | undefined, staged: string): Promise<Restored> {
    const { directory, processes, clock, logger } = this.#options;
    const phase = stopwatch(clock);
    await processes.prepare();
    const prepareMs = phase();
    await processes.stop();
    const stopMs = phase();
    try {
      raiseFloors(directory, staged);
      await exchangeWorld(directory, staged);
    } finally {
      // If the exchange failed, the processes start with the old world.
      await processes.start();
    }
    const startMs = phase();
    const downMs = stopMs + startMs;
    logger.info({ downMs, prepareMs, stopMs, startMs }, "the simulated world was replaced");
    if (name !== undefined) this.#prepareNext(name);
    return { downMs };
  }

  async #exclusively<T>(operation: string, work: () => Promise<T>): Promise<T> {
    if (this.#operation !== undefined)
      throw snapshotErrors.SnapshotBusy(`The ${this.#operation} is in progress. Try again later.`);
    this.#operation = operation;
    try {
      return await work();
    } catch (error) {
      this.#options.logger.error({ operation, error: messageOf(error) }, "snapshot operation failed");
      throw error;
    } finally {
      this.#operation = undefined;
    }
  }
}

/** Returns a function that returns the milliseconds since its last call, or since this call. */
function stopwatch(clock: Clock): () => number {
  let lastMs = clock.monotonicMs();
  return () => {
    const startedMs = lastMs;
    lastMs = clock.monotonicMs();
    return Math.round(lastMs - startedMs);
  };
}

/**
 * Raises the revisions in the staged databases above those of the current world. Watches of clients that have seen the current
 * world then fail with 410 Gone, and the clients list again.
 */
function raiseFloors(directory: string, staged: string): void {
  for (const name of readdirSync(directory).filter((each) => journal.test(each))) {
    const [current, next] = [join(directory, name), join(staged, name)];
    if (existsSync(next)) raiseRevisions(next, newestRevision(current) + 1);
  }
}
