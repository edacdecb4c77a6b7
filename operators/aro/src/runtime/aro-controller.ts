import { type AroCluster, clusters, isFlagOn, type PolicyRule, singleton } from "@keelson/aro-api";
import { boundedText, messageOf } from "@keelson/base";
import {
  allOf,
  type Condition,
  type Controller,
  done,
  generationChanged,
  keyText,
  named,
  type ReconcileScope,
  type Result,
  type Watch,
  watchFor,
} from "@keelson/controller";
import { isConflict, type ObjectKey } from "@keelson/kube";
import { type OperatorContext, type Request, requestOf } from "./operator-context.ts";

/** What a controller may do; of one namespace where it names one. */
export interface Permission extends PolicyRule {
  readonly namespace?: string;
}

/** One controller of the operator: `aroController` makes the runtime's controller of it. */
export interface AroController {
  /** As the original names it: in metrics, logs, the field manager, and `{name}ControllerDegraded`. */
  readonly name: string;
  /** The switch that turns it on, for example `aro.banner.enabled`; always on without one. */
  readonly flag?: string;
  /** Besides the Cluster's specification. `watchSingleton` reconciles the one key of most controllers. */
  readonly watches: readonly Watch<OperatorContext>[];
  /** Besides those that every controller has (`permissions.ts`); the tests of a controller run with these alone. */
  readonly permissions: readonly Permission[];
  /** Keys are those of its watches; a change of the Cluster reconciles these too. `singleton` when absent. */
  readonly keys?: (context: OperatorContext) => Iterable<ObjectKey>;
  /** Everything is reconciled again after this; for what the API server does not report, such as Azure. */
  readonly resyncMs?: number;
  readonly concurrency?: number;
  /** Its three conditions in the Cluster; `none` where it is a check with conditions of its own. */
  readonly conditions?: "controller" | "none";
  /** What its conditions are named after, where clusters have them under other names than its own; each gets the same. */
  readonly conditionNames?: readonly string[];
  readonly reconcile: (request: Request, key: ObjectKey) => Promise<AroResult>;
  /** Called in the place of `reconcile` while the flag is off; nothing is done when absent. */
  readonly disabled?: (request: Request, key: ObjectKey) => Promise<AroResult>;
}

/** How a reconcile ended: `progressing` says on what the controller waits. */
export interface AroResult extends Result {
  readonly progressing?: { readonly reason: string; readonly message: string };
}

export { done };

/** What a controller that fails for this long is no longer: Available. */
const unavailableAfterMs = 10 * 60_000;
const maxMessage = 1_024;
/** Of keys that fail at a time, in a message. */
const maxFailures = 5;

interface Failure {
  readonly message: string;
  readonly sinceMs: number;
}

/** Reconciles the controller's one key at every change. */
const clusterChanged = watchFor(clusters, singleton, {
  selection: { fieldSelector: `metadata.name=${singleton.name}` },
  where: allOf(named(singleton.name), generationChanged),
});

/** The runtime's controller: reads the Cluster and the flag, and reports in its conditions how it went. */
export function aroController(controller: AroController): Controller<OperatorContext> {
  const { name, flag, watches, keys, resyncMs, concurrency, conditionNames = [name] } = controller;
  const failures = new Map<string, Failure>();
  const progress = new Map<string, NonNullable<AroResult["progressing"]>>();

  async function attempt(
    key: ObjectKey,
    context: OperatorContext,
    cluster: AroCluster,
    scope: ReconcileScope,
  ) {
    const request = requestOf(context, name, cluster, scope);
    const isOn = flag === undefined || isFlagOn(cluster.spec?.operatorflags, flag);
    if (!isOn && !controller.disabled) return undefined;
    return (isOn ? controller.reconcile : (controller.disabled ?? controller.reconcile))(request, key);
  }

  return {
    name,
    watches: [keys ? mapped(keys) : clusterChanged, ...watches],
    ...(keys ? {} : { initialKeys: [singleton] }),
    resyncMs,
    concurrency,
    async reconcile(key, context, scope) {
      const id = keyText(key);
      const cluster = clusterOf(context);
      const report = async () => {
        if (controller.conditions === "none") return;
        const now = context.clock.monotonicMs();
        await context.status.set(
          conditionNames.flatMap((each) => conditionsOf(each, failures, progress, now)),
        );
      };
      try {
        const result = await attempt(key, context, cluster, scope);
        const changes = failures.delete(id);
        // A controller that is off leaves its conditions as they were.
        if (!result && !changes) return done;
        if (result?.progressing) progress.set(id, result.progressing);
        else progress.delete(id);
        await report();
        return result?.requeueAfterMs === undefined ? done : { requeueAfterMs: result.requeueAfterMs };
      } catch (error) {
        // Neither the end of the process nor another writer that was first is a failure of the controller.
        if (!scope.signal.aborted && !isConflict(error)) {
          const sinceMs = failures.get(id)?.sinceMs ?? context.clock.monotonicMs();
          progress.delete(id);
          failures.set(id, { message: messageOf(error), sinceMs });
          await report().catch((failed) =>
            scope.logger.warn({ error: messageOf(failed) }, "the conditions were not written"),
          );
        }
        throw error;
      }
    },
  };
}

function mapped(keys: (context: OperatorContext) => Iterable<ObjectKey>): Watch<OperatorContext> {
  return { ...clusterChanged, keys: (_, context) => keys(context) };
}

/** @throws Error while there is no Cluster: the operator can do nothing without */
function clusterOf({ cache }: OperatorContext): AroCluster {
  const cluster = cache.known(clusters, singleton)?.object;
  if (!cluster) throw new Error("clusters.aro.openshift.io/cluster is not there: the service creates it");
  return cluster as AroCluster;
}

function conditionsOf(
  name: string,
  failures: ReadonlyMap<string, Failure>,
  progress: ReadonlyMap<string, NonNullable<AroResult["progressing"]>>,
  nowMs: number,
): readonly Condition[] {
  const failed = [...failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure);
  const message = boundedText(
    failed
      .slice(0, maxFailures)
      .map((failure) => failure.message)
      .join("\n"),
    maxMessage,
  );
  const failing = failed.length > 0;
  const lasting = failed.some(({ sinceMs }) => nowMs - sinceMs >= unavailableAfterMs);
  const [waiting] = progress.values();
  const good = { reason: "AsExpected", message: "" };
  const bad = { reason: "ReconcileFailed", message };
  return [
    { type: `${name}ControllerAvailable`, status: lasting ? "False" : "True", ...(lasting ? bad : good) },
    { type: `${name}ControllerProgressing`, status: waiting ? "True" : "False", ...(waiting ?? good) },
    { type: `${name}ControllerDegraded`, status: failing ? "True" : "False", ...(failing ? bad : good) },
  ];
}
