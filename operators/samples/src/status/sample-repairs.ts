import { type Metrics, messageOf } from "@keelson/base";
import type { EventRecorder } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { OperatorEvents, type Repair, type RepairLog } from "@keelson/operator-kit";

const reasons = { created: "SamplesCreated", updated: "SamplesUpdated", deleted: "SamplesDeleted" } as const;
/** Maximum number of objects of one kind that an Event names. */
const maxNamed = 3;

/**
 * Reports the operator's changes. Each changed object increments a metric. Each reconcile emits one Event for each kind of
 * change.
 */
export class SampleRepairs {
  readonly #events: OperatorEvents;
  readonly #repairs;

  /** @param deployment object that the Events are about */
  constructor(
    events: Pick<EventRecorder, "record">,
    deployment: { readonly namespace: string; readonly name: string },
    metrics: Metrics,
  ) {
    this.#events = new OperatorEvents(events, deployment);
    this.#repairs = metrics.counter({
      name: "samples_operator_repairs_total",
      help: "Created, updated and deleted objects, by result",
      labels: ["controller", "kind", "operation", "result"],
    });
  }

  /** Starts recording the changes of one reconcile. The caller disposes the recorder at the end of the reconcile. */
  begin(): RepairWave {
    return new RepairWave(this.#events, ({ controller, operation, resource: { kind } }, result) =>
      this.#repairs.inc({ controller, kind, operation, result }),
    );
  }
}

/**
 * Changes of one reconcile. They are combined into a few Events. A catalogue has a hundred objects, so one Event per object would
 * more than double the writes.
 */
export class RepairWave implements RepairLog, Disposable {
  readonly #events: OperatorEvents;
  readonly #count: (repair: Repair, result: "success" | "error") => void;
  readonly #changed: { readonly repair: Repair; readonly object: KubeObject }[] = [];
  readonly #failed: string[] = [];

  constructor(events: OperatorEvents, count: (repair: Repair, result: "success" | "error") => void) {
    this.#events = events;
    this.#count = count;
  }

  succeeded(repair: Repair, object: KubeObject): void {
    this.#count(repair, "success");
    this.#changed.push({ repair, object });
  }

  failed(repair: Repair, object: KubeObject, error: unknown): void {
    this.#count(repair, "error");
    this.#failed.push(`${object.kind}/${object.metadata.name} not ${repair.operation}: ${messageOf(error)}`);
  }

  [Symbol.dispose](): void {
    for (const operation of ["created", "updated", "deleted"] as const) {
      const changed = this.#changed.filter(({ repair }) => repair.operation === operation);
      if (changed.length === 0) continue;
      const byKind = Map.groupBy(changed, ({ repair }) => repair.resource.kind);
      const message = `${operation} ${[...byKind].flatMap(([kind, of]) => named(kind, of)).join(", ")}`;
      this.#events.report({ type: "Normal", reason: reasons[operation], message });
    }
    const [first, ...others] = this.#failed;
    if (first === undefined) return;
    const message = others.length === 0 ? first : `${first}; and ${others.length} more`;
    this.#events.report({ type: "Warning", reason: "SamplesFailed", message });
  }
}

/** Formats the changed objects, for example `ImageStream/ruby (spec.tags)` or `50 ImageStreams`. */
function named(
  kind: string,
  changed: readonly { readonly repair: Repair; readonly object: KubeObject }[],
): readonly string[] {
  if (changed.length > maxNamed) return [`${changed.length} ${kind}s`];
  return changed.map(({ repair: { fields }, object }) => {
    const differed = fields.length > 0 ? ` (${fields.join(", ")})` : "";
    return `${kind}/${object.metadata.name}${differed}`;
  });
}
