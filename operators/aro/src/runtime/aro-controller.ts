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

/** RBAC rule, limited to a namespace if one is set. */
export interface Permission extends PolicyRule {
  readonly namespace?: string;
}

/** One controller of the operator. `aroController` converts it to a controller of the runtime. */
export interface AroController {
  /** Name in the original: in metrics, logs, the field manager, and `{name}ControllerDegraded`. */
  readonly name: string;
  /** Flag that enables the controller, for example `aro.banner.enabled`. Default: always enabled. */
  readonly flag?: string;
  /**
   * Watches in addition to the Cluster's specification. Most controllers use `watchSingleton`, which
   * reconciles a single key.
   */
  readonly watches: readonly Watch<OperatorContext>[];
  /**
   * Rights in addition to those of every controller (`permissions.ts`). A controller's tests run with only
   * these.
   */
  readonly permissions: readonly Permission[];
  /** Keys that a change of the Cluster reconciles, in addition to keys from watches. Default: `singleton`. */
  readonly keys?: (context: OperatorContext) => Iterable<ObjectKey>;
  /** Period of a complete reconciliation, for sources without events, such as Azure. */
  readonly resyncMs?: number;
  readonly concurrency?: number;
  /** The three conditions of a controller in the Cluster. `none` for a check with separate conditions. */
  readonly conditions?: "controller" | "none";
  /**
   * Prefixes of its conditions, if clusters have them under other names. All have the same status. Default:
   * the controller's name.
   */
  readonly conditionNames?: readonly string[];
  readonly reconcile: (request: Request, key: ObjectKey) => Promise<AroResult>;
  /** Called instead of `reconcile` while the flag is off. Default: no action. */
  readonly disabled?: (request: Request, key: ObjectKey) => Promise<AroResult>;
}

/** Result of a reconcile. `progressing` is the reason for which the controller waits. */
export interface AroResult extends Result {
  readonly progressing?: { readonly reason: string; readonly message: string };
}

export { done };

/** Duration of failures after which a controller is Available=False. */
const unavailableAfterMs = 10 * 60_000;
const maxMessage = 1_024;
/** Maximum number of failed keys in a message. */
const maxFailures = 5;

interface Failure {
  readonly message: string;
  readonly sinceMs: number;
}

/** Reconciles the controller's single key at every change. */
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
        // A disabled controller does not change its conditions.
        if (!result && !changes) return done;
        if (result?.progressing) progress.set(id, result.progressing);
        else progress.delete(id);
        await report();
        return result?.requeueAfterMs === undefined ? done : { requeueAfterMs: result.requeueAfterMs };
      } catch (error) {
        // Cancellation and conflicts with other writers are not failures of the controller.
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

/** @throws Error if the Cluster does not exist, which the operator requires */
function clusterOf({ cache }: OperatorContext): AroCluster {
  const cluster = cache.known(clusters, singleton)?.object;
  if (!cluster) throw new Error("clusters.aro.openshift.io/cluster does not exist: the service creates it");
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
