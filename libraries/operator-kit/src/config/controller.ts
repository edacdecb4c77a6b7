import { isPlainObject, messageOf, objectAt, valueAt } from "@keelson/base";
import { type Cache, type Controller, done, type Watch, watchFor } from "@keelson/controller";
import {
  isConflict,
  type JsonPatchStep,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
} from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import type { SyncRuleSet } from "../sync/sync-rules.ts";
import { configChanges, describeChanges } from "./config-diff.ts";
import type { ConfigObserver, ObservedInput, ObservedObjects } from "./config-observer.ts";
import { observeAll, requireDisjoint } from "./observe.ts";
import type { SparseConfig } from "./sparse-merge.ts";

export interface ConfigObservationOptions {
  /** Resource type of the operator's configuration. */
  readonly resource: KubeResource;
  readonly observers: readonly ConfigObserver[];
  /** Receives the object copies that the observers request. */
  readonly syncRules: SyncRuleSet;
}

const maxDiff = 900;

/**
 * Writes the observers' results to `spec.observedConfig`. The controller runs when an input changes and once a minute. The
 * condition `ConfigObservationDegraded` has one line for each error.
 * @throws Error if two observers have overlapping paths
 */
export function configObservation<Parts extends OperatorParts>({
  resource,
  observers,
  syncRules,
}: ConfigObservationOptions): Controller<Parts> {
  requireDisjoint(observers);
  return operatorController<Parts>(resource, {
    name: "ConfigObserver",
    degraded: { type: "ConfigObservationDegraded", failed: "Error" },
    watches: inputWatches(observers.flatMap(({ inputs }) => inputs)),
    resyncMs: 60_000,
    async reconcile({ parts, configuration, signal }) {
      const { cache, clock, events, operator } = parts;
      const found = valueAt(configuration, "spec", "observedConfig");
      const existing: SparseConfig = objectAt(found);
      const scope = { now: clock.now(), report: events.report };
      const objectsFor = ({ inputs }: ConfigObserver) => cachedObjects(cache, inputs);
      const { config, errors, syncRules: wanted } = observeAll(observers, existing, objectsFor, scope);
      const changes = configChanges(existing, config);
      if (changes.length > 0 || (found !== undefined && found !== null && !isPlainObject(found))) {
        const diff = describeChanges(changes, maxDiff);
        const message = `Writing updated observed config: ${diff}`;
        events.report({ type: "Normal", reason: "ObservedConfigChanged", message });
        try {
          await operator.patchSpec(writeSteps(configuration, found, config), signal);
        } catch (error) {
          if (isConflict(error)) throw error;
          const failure = `Failed to write observed config: ${messageOf(error)}`;
          events.report({ type: "Warning", reason: "ObservedConfigWriteError", message: failure });
          throw new Error(`error writing updated observed config: ${messageOf(error)}`, { cause: error });
        }
      }
      for (const [name, rules] of wanted) syncRules.set(name, rules);
      if (errors.length === 0) return done;
      const type = "ConfigObservationDegraded";
      return { conditions: [{ type, status: "True", reason: "Error", message: errors.join("\n") }] };
    },
  });
}

/** Returns one watch for each distinct resource and selection. */
function inputWatches(inputs: readonly ObservedInput[]): readonly Watch<unknown>[] {
  const distinct = new Map(
    inputs.map((input) => [JSON.stringify([input.resource, input.selection ?? {}]), input]),
  );
  return [...distinct.values()].map(({ resource, selection = {} }) =>
    watchFor(resource, operatorKey, { selection }),
  );
}

function cachedObjects(cache: Cache, inputs: readonly ObservedInput[]): ObservedObjects {
  const isOf = (resource: KubeResource) => (input: ObservedInput) =>
    input.resource.plural === resource.plural && input.resource.group === resource.group;
  return {
    find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined {
      const known = cache.known(resource, key);
      if (!known || !inputs.some(isOf(resource)))
        throw new Error(
          `${resource.kind} ${key.name} is among no inputs of the observer, or was not read yet`,
        );
      // The cast is safe, because the resource determines the object type.
      return known.object as T | undefined;
    },
    list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[] {
      const input = inputs
        .filter(isOf(resource))
        .find(
          ({ selection }) =>
            selection?.fieldSelector === undefined &&
            (selection?.namespace === undefined || selection.namespace === namespace),
        );
      if (!input) throw new Error(`${resource.plural} are among no inputs of the observer`);
      return cache.informer(resource, { selection: input.selection ?? {} }).list(namespace);
    },
  };
}

function writeSteps(
  configuration: KubeObject,
  found: unknown,
  config: SparseConfig,
): readonly JsonPatchStep[] {
  const path = "/spec/observedConfig";
  if (configuration.spec === undefined)
    return [{ op: "add", path: "/spec", value: { observedConfig: config } }];
  if (found === undefined) return [{ op: "add", path, value: config }];
  return [
    { op: "test", path, value: found },
    { op: "replace", path, value: config },
  ];
}
