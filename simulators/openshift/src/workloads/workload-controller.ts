import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import type { Outcome } from "../runtime/work-queue.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** What makes a controller look again, and at which keys. `before` is there for a change, and for a deletion. */
export interface WorkloadWatch {
  readonly resource: ResourceRef;
  readonly keys: (
    object: KubeObject,
    context: WorkloadContext,
    before: KubeObject | undefined,
  ) => readonly string[];
}

/** Level-triggered: `reconcile` reads the present state of its key and moves it one step towards the wanted one. */
export interface WorkloadController {
  readonly name: string;
  readonly watches: readonly WorkloadWatch[];
  reconcile(key: string, context: WorkloadContext, signal: AbortSignal): Promise<Outcome>;
}
