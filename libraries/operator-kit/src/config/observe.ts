import { isDeepStrictEqual } from "node:util";
import { messageOf } from "@keelson/base";
import type { SyncRule } from "../sync/sync-rules.ts";
import type { ConfigObserver, ObservationScope, ObservedObjects } from "./config-observer.ts";
import { pathsOverlap, pathText, pruneConfig } from "./config-paths.ts";
import { mergeConfigs, type SparseConfig } from "./sparse-merge.ts";

export interface Observed {
  readonly config: SparseConfig;
  readonly errors: readonly string[];
  /** Requested object copies by observer name. Only observers that changed their requested copies have an entry. */
  readonly syncRules: ReadonlyMap<string, readonly SyncRule[]>;
}

/** @throws Error if two observers have overlapping paths or the same name */
export function requireDisjoint(observers: readonly ConfigObserver[]): void {
  for (const [index, one] of observers.entries())
    for (const other of observers.slice(index + 1)) {
      if (one.name === other.name) throw new Error(`two config observers are named ${one.name}`);
      for (const path of one.paths) {
        const shared = other.paths.find((each) => pathsOverlap(path, each));
        if (shared)
          throw new Error(
            `the config observers ${one.name} and ${other.name} both write ${pathText(path.length > shared.length ? path : shared)}: give it to one of them`,
          );
      }
    }
}

/**
 * Combines the results of all observers. If an observer fails, its previous section is kept. Values at paths without an observer
 * come from an earlier release and are dropped.
 */
export function observeAll(
  observers: readonly ConfigObserver[],
  observed: SparseConfig,
  objectsFor: (observer: ConfigObserver) => ObservedObjects,
  scope: Pick<ObservationScope, "now" | "report">,
): Observed {
  const errors: string[] = [];
  const syncRules = new Map<string, readonly SyncRule[]>();
  const parts = observers.map((observer) => {
    const existing = pruneConfig(observed, observer.paths);
    try {
      const observation = observer.observe({ ...scope, existing, objects: objectsFor(observer) });
      const config = asJson(observation.config);
      if (!isDeepStrictEqual(config, pruneConfig(config, observer.paths)))
        throw new Error(`${observer.name} observed what is not at its paths`);
      errors.push(...(observation.errors ?? []));
      if (observation.syncRules) syncRules.set(observer.name, observation.syncRules);
      return config;
    } catch (error) {
      errors.push(messageOf(error));
      return existing;
    }
  });
  return { config: mergeConfigs(parts), errors, syncRules };
}

/** Drops undefined fields, like a round trip through the API server. */
function asJson(config: SparseConfig): SparseConfig {
  return JSON.parse(JSON.stringify(config));
}
