import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { newestRevision, raiseRevisions } from "@keelson/apiserver/revisions";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { Restored, Snapshot } from "../../state/snapshot.ts";
import { snapshotErrors } from "./snapshot-errors.ts";
import { emptyWorld, requireSnapshotName, SnapshotStore } from "./snapshot-store.ts";
import { exchangeWorld, linkStagedWorld, linkWorld, removeLinks, removeOldWorld } from "./world-files.ts";

/** Processes that use the files of the world. */
export interface WorldProcesses {
  /** Prepares a fast `start` with the files in `world`: standby processes load these files. */
  prepare(world: string): Promise<void>;
  /** Ends the preparation. Afterwards no standby process uses files. */
  discard(): Promise<void>;
  /** Prevents the processes from writing files until the result is disposed. */
  pause(): Promise<AsyncDisposable>;
  /** Stops the processes as in a crash. The files do not change afterwards. */
  stop(): Promise<void>;
  /** Starts the processes with the files in `world`. Default: the state directory. Resolves when all are serving. */
  start(world?: string): Promise<void>;
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
 * Distance between the first revisions of two successive worlds. No API server writes this many revisions: their changes would
 * fill hundreds of gigabytes. The limit of exact integers (2^53) permits two million restores.
 */
const revisionsBetweenWorlds = 2 ** 32;

/** Copy of a snapshot that will replace the world. */
interface Staged {
  readonly path: string;
  /** Link through which processes open the files of the copy. The link remains valid after the exchange. */
  readonly link: string;
  /** Minimum revision of each journal in the copy. */
  readonly floors: ReadonlyMap<string, number>;
}

/**
 * Saves and restores the simulated world of a running instance. Only one operation runs at a time. Create the object before the
 * processes start, and dispose it after they have stopped. Disposal waits until the copy for the next restore is complete, and
 * deletes this copy.
 */
export class WorldControl implements AsyncDisposable {
  readonly #options: WorldControlOptions;
  readonly #store: SnapshotStore;
  #operation: string | undefined;
  /** Copy of the last restored snapshot, which the next restore of this snapshot uses. */
  #copy: { readonly name: string; readonly staged: Promise<Staged | undefined> } | undefined;
  /** Link through which the running processes have opened their files. */
  #link: string | undefined;
  /** Number of staged copies, for unique names of links. */
  #generation = 0;
  /** Minimum revision of each journal in the next world, before `revisionsBetweenWorlds` is added. */
  #floors: ReadonlyMap<string, number>;

  constructor(options: WorldControlOptions) {
    this.#options = options;
    this.#store = new SnapshotStore(options.directory);
    this.#floors = newestRevisions(options);
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
      const restored = await this.#replaceBy(undefined, await this.#stage(undefined));
      // Saves the empty world, so that the next reset does not need to create a database.
      await this.#save(emptyWorld);
      this.#prepareNext(emptyWorld);
      return restored;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropCopy();
    await removeLinks(this.#options.directory);
  }

  async #save(name: string): Promise<Snapshot> {
    const { processes, clock, version } = this.#options;
    await using _paused = await processes.pause();
    return await this.#store.save(name, clock.now(), version);
  }

  /** Returns a copy of a snapshot. @throws SnapshotNotFound */
  async #staged(name: string): Promise<Staged> {
    const copy = this.#copy;
    if (copy?.name !== name) {
      await this.#dropCopy();
      return this.#stage(name);
    }
    this.#copy = undefined;
    return (await copy.staged) ?? this.#stage(name);
  }

  /**
   * Copies a snapshot, or creates an empty world. Raises the revisions above those of the current world. Watches of clients that
   * have seen the current world then fail with 410 Gone, and the clients list again.
   */
  async #stage(name: string | undefined): Promise<Staged> {
    const { directory } = this.#options;
    await this.#options.processes.discard();
    const path = name === undefined ? await this.#store.stageEmpty() : await this.#store.stage(name);
    const floors = new Map(this.#floors);
    for (const name of journalsIn(path)) {
      const floor = (this.#floors.get(name) ?? 0) + revisionsBetweenWorlds;
      raiseRevisions(join(path, name), floor);
      floors.set(name, floor);
    }
    this.#generation += 1;
    return { path, link: await linkStagedWorld(directory, this.#generation), floors };
  }

  /** Waits until no copy is being written, so that the snapshots can change. Deletes the copy, because no restore will use it. */
  async #dropCopy(): Promise<void> {
    const copy = this.#copy;
    this.#copy = undefined;
    const staged = await copy?.staged;
    if (!staged) return;
    await this.#options.processes.discard();
    for (const path of [staged.link, staged.path]) await rm(path, { recursive: true, force: true });
  }

  /**
   * Deletes the replaced world. Then copies the same snapshot for the next restore, because tests often restore one snapshot
   * repeatedly.
   */
  #prepareNext(name: string): void {
    const { directory, processes, logger } = this.#options;
    const copy = async () => {
      try {
        await removeOldWorld(directory);
        await removeLinks(directory, this.#link);
        const staged = await this.#stage(name);
        void processes.prepare(staged.link);
        return staged;
      } catch (error) {
        logger.warn({ name, error: messageOf(error) }, "the snapshot was not copied in advance");
        return undefined;
      }
    };
    this.#copy = { name, staged: copy() };
  }

  async #replaceBy(name: string | undefined, { path, link, floors }: Staged): Promise<Restored> {
    const { directory, processes, clock, logger } = this.#options;
    const phase = stopwatch(clock);
    await processes.prepare(link);
    const prepareMs = phase();
    await processes.stop();
    const stopMs = phase();
    let world: string | undefined;
    try {
      await exchangeWorld(directory, path);
      await linkWorld(link);
      world = link;
      this.#floors = floors;
      this.#link = link;
    } finally {
      // If the exchange failed, the processes start with the old world.
      if (world === undefined) await processes.discard();
      await processes.start(world);
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

/**
 * Returns a function that returns the milliseconds since its previous call. The first call returns the milliseconds since the
 * stopwatch was created.
 */
function stopwatch(clock: Clock): () => number {
  let lastMs = clock.monotonicMs();
  return () => {
    const startedMs = lastMs;
    lastMs = clock.monotonicMs();
    return Math.round(lastMs - startedMs);
  };
}

function journalsIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => journal.test(name));
}

/**
 * Returns the newest revision of each readable journal. An unreadable file is not an error here, because the start of the
 * processes reports it.
 */
function newestRevisions({ directory, logger }: WorldControlOptions): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const name of journalsIn(directory)) {
    const path = join(directory, name);
    try {
      newest.set(name, newestRevision(path));
    } catch (error) {
      logger.warn({ path, error: messageOf(error) }, "revisions cannot be read");
    }
  }
  return newest;
}
