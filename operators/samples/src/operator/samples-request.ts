import type { ReconcileScope } from "@keelson/controller";
import { ManagedObjects } from "@keelson/operator-kit";
import type { OperatorContext } from "./operator-context.ts";

/** The context of one reconcile. */
export interface SamplesRequest extends OperatorContext, ReconcileScope {
  readonly objects: ManagedObjects;
}

export const controllerName = "samples";
export const fieldManager = "samples-operator";

export function samplesRequest(context: OperatorContext, scope: ReconcileScope): SamplesRequest {
  const { api, cache, repairs } = context;
  const { signal, logger } = scope;
  const objects = new ManagedObjects({
    api,
    cache,
    repairs,
    controller: controllerName,
    fieldManager,
    signal,
    logger,
  });
  return { ...context, ...scope, objects };
}
