import { type Clock, type Logger, messageOf } from "@keelson/base";
import { allDocuments, type Collection, type Document } from "@keelson/database";
import {
  type OpenShiftVersionDocument,
  type RoleSetDocument,
  type RoleSetProperties,
  roleSetsPartition,
  type ServiceDatabase,
  versionsPartition,
} from "@keelson/model";

/** OpenShift versions that customers can install. */
export interface EnabledVersions {
  /** Version names in ascending order. */
  readonly names: readonly string[];
  /** OpenShift version of a new cluster if the request specifies no version. */
  readonly defaultVersion?: string | undefined;
}

const restartMs = 1_000;

/**
 * Caches documents that administrators maintain and that many requests need. Changes in the database's change feed invalidate the
 * cache.
 */
export class Catalogue {
  readonly #database: ServiceDatabase;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #versions = new Kept<EnabledVersions>();
  readonly #roleSets = new Kept<readonly RoleSetProperties[]>();
  #following = false;

  constructor(database: ServiceDatabase, clock: Clock, logger: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** True while the cache follows the change feed. While it is false, nothing is cached. */
  get following(): boolean {
    return this.#following;
  }

  /** Generation number of the cache. It increases with each change that may make the results of earlier reads outdated. */
  get generation(): number {
    return this.#versions.generation + this.#roleSets.generation;
  }

  versions(signal: AbortSignal): Promise<EnabledVersions> {
    return this.#versions.get(this.#following, () => readEnabled(this.#database, signal));
  }

  /** Returns the role sets, ordered by OpenShift minor version. */
  roleSets(signal: AbortSignal): Promise<readonly RoleSetProperties[]> {
    return this.#roleSets.get(this.#following, () => readRoleSets(this.#database, signal));
  }

  /** Follows the change feed and invalidates the cache until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { versions, roleSets } = this.#database.collections;
    while (!signal.aborted) {
      try {
        for await (const change of this.#database.changes(signal)) {
          this.#following = true;
          const all = change.kind === "resync";
          if (all || change.collection === versions.definition.name) this.#versions.forget();
          if (all || change.collection === roleSets.definition.name) this.#roleSets.forget();
        }
      } catch (error) {
        if (!signal.aborted)
          this.#logger.warn({ reason: messageOf(error) }, "change feed broke, following it again");
      }
      this.#following = false;
      this.#versions.forget();
      this.#roleSets.forget();
      await this.#clock.sleep(restartMs, signal).catch(() => undefined);
    }
  }
}

/** One cached value, with the read that loads it. */
class Kept<T> {
  #generation = 0;
  #value: T | undefined;

  get generation(): number {
    return this.#generation;
  }

  async get(mayKeep: boolean, read: () => Promise<T>): Promise<T> {
    if (this.#value !== undefined) return this.#value;
    const generation = this.#generation;
    const value = await read();
    // A change that arrived during the read may have made the value outdated. In this case, only the current request uses the
    // value, and the value is not cached.
    if (mayKeep && generation === this.#generation) this.#value = value;
    return value;
  }

  forget(): void {
    this.#generation++;
    this.#value = undefined;
  }
}

async function readEnabled(database: ServiceDatabase, signal: AbortSignal): Promise<EnabledVersions> {
  const documents = await readVersions(database, signal);
  const enabled = documents.map((each) => each.openShiftVersion.properties).filter((each) => each.enabled);
  const defaultVersion = enabled.find((each) => each.default)?.version;
  return {
    names: enabled.map((each) => each.version).sort(compareNumerically),
    defaultVersion,
  };
}

/** Reads all versions, including disabled versions. */
export function readVersions(
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly OpenShiftVersionDocument[]> {
  return readAll(database.collections.versions, versionsPartition, signal);
}

export async function readRoleSets(
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly RoleSetProperties[]> {
  const documents = await readAll<RoleSetDocument>(database.collections.roleSets, roleSetsPartition, signal);
  return documents
    .map((each) => each.platformWorkloadIdentityRoleSet.properties)
    .sort((a, b) => compareNumerically(a.openShiftVersion, b.openShiftVersion));
}

/** Compares strings and orders embedded numbers numerically. 4.9.1 precedes 4.16.0. */
export function compareNumerically(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** Reads all documents except those that are marked for deletion. */
async function readAll<T extends Document & { readonly deleting?: boolean }>(
  collection: Collection<T>,
  partitionKey: string,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const documents: T[] = [];
  for await (const { document } of allDocuments(collection, signal, { partitionKey }))
    if (!document.deleting) documents.push(document);
  return documents;
}
