import { type Metrics, messageOf } from "@keelson/base";
import type { EventRecorder } from "@keelson/controller";
import type { KubeObject, KubeResource } from "@keelson/kube";

export interface Repair {
  readonly controller: string;
  readonly operation: "created" | "updated" | "deleted";
  readonly resource: Pick<KubeResource, "kind">;
  /** Paths of the fields that had to be changed. */
  readonly fields: readonly string[];
  /** Azure resource that was changed. Undefined if the change applies to the object of the Event. */
  readonly subject?: string;
}

/** Receives the changes that `ManagedObjects` makes. */
export interface RepairLog {
  succeeded(repair: Repair, object: KubeObject): void;
  failed(repair: Repair, object: KubeObject, error: unknown): void;
}

const reasons = { created: "Created", updated: "Repaired", deleted: "Deleted" } as const;

/** Records changes by controllers. Each change emits one Event and increments the metric once. */
export class RepairRecorder implements RepairLog {
  readonly #events: EventRecorder;
  readonly #repairs;

  /** @param metric name of the counter, such as `aro_operator_repairs_total` */
  constructor(events: EventRecorder, metrics: Metrics, metric: string) {
    this.#events = events;
    this.#repairs = metrics.counter({
      name: metric,
      help: "Objects that controllers created, updated or deleted, or failed to",
      labels: ["controller", "kind", "operation", "result"],
    });
  }

  succeeded(repair: Repair, object: KubeObject): void {
    this.#count(repair, "success");
    const { controller, fields, operation, subject = "it" } = repair;
    const message = `${controller} ${operation} ${subject}${fields.length > 0 ? `: ${fields.join(", ")} differed` : ""}`;
    this.#events.record(object, { type: "Normal", reason: reasons[operation], message });
  }

  failed(repair: Repair, object: KubeObject, error: unknown): void {
    this.#count(repair, "error");
    const { controller, operation, subject = "it" } = repair;
    const message = `${controller} could not have ${subject} ${operation}: ${messageOf(error)}`;
    this.#events.record(object, { type: "Warning", reason: "RepairFailed", message });
  }

  #count({ controller, operation, resource }: Repair, result: "success" | "error"): void {
    this.#repairs.inc({ controller, kind: resource.kind, operation, result });
  }
}
