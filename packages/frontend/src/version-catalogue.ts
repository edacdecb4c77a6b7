import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { OpenShiftVersionDocument, ServiceDatabase } from "@keelson/model";

/** The OpenShift versions that customers may install. */
export interface EnabledVersions {
  /** In ascending order. */
  readonly names: readonly string[];
  /** What a cluster gets whose request names no version. */
  readonly defaultVersion?: string;
}

const pageSize = 100;
const restartMs = 1_000;

/** Keeps the enabled versions in memory; the database's change feed tells when to read them again. */
export class VersionCatalogue {
  readonly #database: ServiceDatabase;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #following = false;
  #generation = 0;
  #cached: EnabledVersions | undefined;

  constructor(database: ServiceDatabase, clock: Clock, logger: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** True while the change feed is being followed; without it nothing is kept. */
  get following(): boolean {
    return this.#following;
  }

  /** Rises whenever what was read before may be out of date. */
  get generation(): number {
    return this.#generation;
  }

  async enabled(signal: AbortSignal): Promise<EnabledVersions> {
    if (this.#cached) return this.#cached;
    const generation = this.#generation;
    const versions = await readEnabled(this.#database, signal);
    // A change while reading: the answer may be old, so it serves this request and is not kept.
    if (this.#following && generation === this.#generation) this.#cached = versions;
    return versions;
  }

  /** Follows the change feed until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const change of this.#database.changes(signal)) {
          this.#following = true;
          if (change.kind === "resync" || change.collection === "openshift_versions") this.#forget();
        }
      } catch (error) {
        if (!signal.aborted)
          this.#logger.warn({ reason: messageOf(error) }, "change feed broke, following it again");
      }
      this.#following = false;
      this.#forget();
      await this.#clock.sleep(restartMs, signal).catch(() => undefined);
    }
  }

  #forget(): void {
    this.#generation++;
    this.#cached = undefined;
  }
}

async function readEnabled(database: ServiceDatabase, signal: AbortSignal): Promise<EnabledVersions> {
  const documents: OpenShiftVersionDocument[] = [];
  let continuation: string | undefined;
  do {
    const query = { partitionKey: "versions", limit: pageSize, ...(continuation ? { continuation } : {}) };
    const page = await database.collections.versions.list(query, signal);
    documents.push(...page.items.map((item) => item.document));
    continuation = page.continuation;
  } while (continuation);
  const enabled = documents.map((each) => each.openShiftVersion.properties).filter((each) => each.enabled);
  const defaultVersion = enabled.find((each) => each.default)?.version;
  return {
    names: enabled.map((each) => each.version).sort(compareVersions),
    ...(defaultVersion ? { defaultVersion } : {}),
  };
}

/** Numbers within versions compare as numbers: 4.9.1 comes before 4.16.0. */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
