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

/** RBAC rule. If `namespace` is set, the rule applies only to this namespace. */
export interface Permission extends PolicyRule {
  readonly namespace?: string;
}

/** Controller of the ARO operator. `aroController` converts it to a controller of the runtime. */
export interface AroController {
  /** Name of the controller in ARO-RP. The name appears in metrics, logs, the field manager and `{name}ControllerDegraded`. */
  readonly name: string;
  /** Flag that enables the controller, for example `aro.banner.enabled`. Default: always enabled. */
  readonly flag?: string;
  /**
   * Watches of the controller, in addition to the watch for the Cluster's specification. Most controllers use `watchFor` with the
   * key `singleton`, so that they reconcile a single key.
   */
  readonly watches: readonly Watch<OperatorContext>[];
  /** Permissions, in addition to the common ones in `permissions.ts`. A controller's tests run with only these permissions. */
  readonly permissions: readonly Permission[];
  /** Returns the keys to reconcile when the Cluster changes, in addition to keys from watches. Default: `singleton`. */
  readonly keys?: (context: OperatorContext) => Iterable<ObjectKey>;
  /** Interval in ms between complete reconciliations. The interval is required for sources without events, such as Azure. */
  readonly resyncMs?: number;
  readonly concurrency?: number;
  /**
   * `controller` if the Cluster has the three common conditions of the controller. `none` for a check that sets its own
   * conditions instead.
   */
  readonly conditions?: "controller" | "none";
  /**
   * Prefixes of the condition types, for controllers with conditions that are not named after the controller. The conditions of
   * all prefixes get the same status. Default: the controller's name.
   */
  readonly conditionNames?: readonly string[];
  readonly reconcile: (request: Request, key: ObjectKey) => Promise<AroResult>;
  /** Called instead of `reconcile` while the flag is off. Default: nothing happens. */
  readonly disabled?: (request: Request, key: ObjectKey) => Promise<AroResult>;
}

/** Result of a reconcile. `progressing` is the reason why the controller waits. */
export interface AroResult extends Result {
  readonly progressing?: { readonly reason: string; readonly message: string };
}

export { done };

/** Time in ms after which a failing controller is reported as Available=False. */
const unavailableAfterMs = 10 * 60_000;
const maxMessage = 1_024;
/** Maximum number of failed keys in a condition message. */
const maxFailures = 5;

interface Failure {
  readonly message: string;
  readonly sinceMs: number;
}

/** Reconciles the controller's single key when the Cluster changes. */
const clusterChanged = watchFor(clusters, singleton, {
  selection: { fieldSelector: `metadata.name=${singleton.name}` },
  where: allOf(named(singleton.name), generationChanged),
});

/** Returns the runtime controller. It reads the Cluster and the flag, calls `reconcile`, and reports the result in conditions. */
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
        // A disabled controller leaves its conditions unchanged.
        if (!result && !changes) return done;
        if (result?.progressing) progress.set(id, result.progressing);
        else progress.delete(id);
        await report();
        return result?.requeueAfterMs === undefined ? done : { requeueAfterMs: result.requeueAfterMs };
      } catch (error) {
        // An abort or a conflict with a second writer is not a failure of the controller.
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

/**
 * Returns the Cluster from the cache.
 * @throws Error if the Cluster does not exist, because the operator requires it
 */
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
