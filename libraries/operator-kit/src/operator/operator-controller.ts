import { type Clock, type Logger, listAt, messageOf, stringAt } from "@keelson/base";
import {
  type Cache,
  type Condition,
  type Controller,
  done,
  type Result,
  type Watch,
} from "@keelson/controller";
import { isConflict, type KubeApi, type KubeObject, type KubeResource } from "@keelson/kube";
import { ManagedObjects } from "../objects/managed-objects.ts";
import { isManaged } from "./management-state.ts";
import type { OperatorEvents } from "./operator-events.ts";
import { type OperatorResource, operatorChanged, operatorKey } from "./operator-resource.ts";

/** Dependencies of an operator's controllers. Each operator extends them. */
export interface OperatorParts {
  /** Reads from the server. Writes require the leader lease. */
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly operator: OperatorResource;
  readonly events: OperatorEvents;
}

/** Context of one reconcile. */
export interface OperatorRequest<Parts extends OperatorParts> {
  readonly parts: Parts;
  /** The operator's configuration. */
  readonly configuration: KubeObject;
  /** Reconciles objects with the field manager of this controller. */
  readonly objects: ManagedObjects;
  /** Aborts at shutdown, loss of leadership or timeout of the call. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

export interface OperatorResult extends Result {
  /** Conditions to set. If a previously reported condition is missing here, it is removed. */
  readonly conditions?: readonly Condition[];
}

export interface OperatorController<Parts extends OperatorParts> {
  /** Name in metrics, logs and the field manager. */
  readonly name: string;
  /** Condition that reports failures. Default: failures are only logged. */
  readonly degraded?: {
    readonly type: string;
    readonly failed: string;
    /** Reason of the condition while there is no failure. Default: no reason. */
    readonly fine?: string;
  };
  /** Types of all other conditions that the controller reports. A failed reconcile does not change these conditions. */
  readonly conditions?: readonly string[];
  /** Watches, in addition to the watch for the operator's configuration. Each of these watches must enqueue `operatorKey`. */
  readonly watches: readonly Watch<Parts>[];
  readonly resyncMs?: number | undefined;
  /** True if the controller also runs while the operator is unmanaged. */
  readonly always?: boolean;
  reconcile(request: OperatorRequest<Parts>): Promise<OperatorResult>;
}

/** Maximum retry delay in ms after a failure. */
const maxRetryMs = 60_000;

/**
 * Returns a controller with a single key: the operator's configuration of kind `resource`. Conditions report the result of each
 * reconcile.
 */
export function operatorController<Parts extends OperatorParts>(
  resource: KubeResource,
  controller: OperatorController<Parts>,
): Controller<Parts> {
  const { name, degraded, conditions: types = [], watches, resyncMs, always = false } = controller;
  const owned = (type: string) => type === degraded?.type || types.includes(type);
  return {
    name,
    watches: [operatorChanged(resource, owned), ...watches],
    initialKeys: [operatorKey],
    maxRetryMs,
    resyncMs,
    async reconcile(_, parts, { signal, logger }) {
      const configuration = parts.operator.find();
      if (!configuration || (!always && !isManaged(configuration))) return done;
      const objects = managedObjects(parts, name, signal, logger);
      const report = (conditions: readonly Condition[]) =>
        parts.operator.setConditions(name, conditions, owned, signal);
      try {
        const request = { parts, configuration, objects, signal, logger };
        const { conditions = [], ...result } = await controller.reconcile(request);
        const own =
          degraded && !conditions.some(({ type }) => type === degraded.type) ? [fine(degraded)] : [];
        await report([...own, ...conditions]);
        return result;
      } catch (error) {
        // A shutdown or a conflict is not a failure of the controller.
        if (degraded && !signal.aborted && !isConflict(error)) {
          const { type, failed: reason } = degraded;
          const failure = { type, status: "True" as const, reason, message: messageOf(error) };
          await report([failure, ...reported(configuration, types)]).catch((failed) =>
            logger.warn({ error: messageOf(failed) }, "the conditions were not written"),
          );
        }
        throw error;
      }
    },
  };
}

function fine({ type, fine: reason }: { readonly type: string; readonly fine?: string }): Condition {
  return { type, status: "False", ...(reason === undefined ? {} : { reason }) };
}

/** Creates the managed objects for one reconcile of a controller. */
export function managedObjects(
  { api, cache, events, operator }: OperatorParts,
  controller: string,
  signal: AbortSignal,
  logger: Logger,
): ManagedObjects {
  const fieldManager = operator.fieldManager(controller);
  return new ManagedObjects({ api, cache, repairs: events, controller, fieldManager, signal, logger });
}

function reported(configuration: KubeObject, types: readonly string[]): readonly Condition[] {
  return listAt(configuration, "status", "conditions").filter((each): each is Condition =>
    types.includes(stringAt(each, "type") ?? ""),
  );
}
