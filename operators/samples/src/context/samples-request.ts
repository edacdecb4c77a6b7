import type { ReconcileScope } from "@keelson/controller";
import { ManagedObjects } from "@keelson/operator-kit";
import type { RepairWave } from "../status/sample-repairs.ts";
import type { OperatorContext } from "./operator-context.ts";

/** Context of one reconcile. */
export interface SamplesRequest extends OperatorContext, ReconcileScope {
  readonly objects: ManagedObjects;
  /** Records the changes of this reconcile. */
  readonly wave: RepairWave;
}

export const controllerName = "samples";
const fieldManager = "samples-operator";

export function samplesRequest(context: OperatorContext, scope: ReconcileScope): SamplesRequest {
  const { api, cache, repairs } = context;
  const { signal, logger } = scope;
  const wave = repairs.begin();
  const objects = new ManagedObjects({
    api,
    cache,
    repairs: wave,
    controller: controllerName,
    fieldManager,
    signal,
    logger,
  });
  return { ...context, ...scope, objects, wave };
}
