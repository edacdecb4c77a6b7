import { aggregateRules, aggregationOf } from "../auth/aggregate-rules.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../registry/registry-context.ts";
import { matchesLabels } from "../selector/label-selector.ts";
import { ignoreGone } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { WorkQueue, type WorkQueueDeps } from "./work-queue.ts";

const clusterRoles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };
const bucket = `${clusterRoles.group}/${clusterRoles.resource}`;

/** Keeps the rules of ClusterRoles that have an `aggregationRule`: those of the ClusterRoles it selects. */
export class RoleAggregationController {
  readonly #context: RegistryContext;
  readonly #queue: WorkQueue;
  /** The selectors of those that are aggregated, by name. */
  readonly #aggregated = new Map<string, ReturnType<typeof aggregationOf>>();

  constructor(context: RegistryContext, deps: WorkQueueDeps) {
    this.#context = context;
    this.#queue = new WorkQueue("role-aggregation", (name) => this.#reconcile(name), deps);
  }

  resume(): void {
    for (const stored of this.#context.store.range(bucket, "")) {
      if (isAggregated(stored)) this.#add(stored);
    }
  }

  observe({ bucket: changed, previous, current, deleted }: StoreEvent): void {
    if (changed !== bucket) return;
    this.#aggregated.delete(current.key);
    if (!deleted && isAggregated(current)) this.#add(current);
    const touched = previous ? [previous.labels, current.labels] : [current.labels];
    for (const [name, selectors] of this.#aggregated) {
      const concerned = selectors.some((selector) => touched.some((each) => matchesLabels(selector, each)));
      if (concerned) this.#queue.add(name);
    }
  }

  #add({ key, object }: StoredObject): void {
    this.#aggregated.set(key, aggregationOf(object));
    this.#queue.add(key);
  }

  async #reconcile(name: string): Promise<void> {
    const { store, directory } = this.#context;
    const role = store.get(bucket, name)?.object;
    if (!role || aggregationOf(role).length === 0) return;
    const selectors = aggregationOf(role);
    // Labels are at hand: only what is selected is parsed.
    const selected = store
      .range(bucket, "")
      .filter(({ labels }) => selectors.some((selector) => matchesLabels(selector, labels)));
    const rules = aggregateRules(
      role,
      selected.map(({ object }) => object),
    );
    if (JSON.stringify(rules) === JSON.stringify(role.rules ?? [])) return;
    const resource = directory.get(clusterRoles);
    await modifyObject(this.#context, resource, name, "main", (current) => ({ ...current, rules })).catch(
      ignoreGone,
    );
  }
}

/** A look at the bytes, so that plain roles are not parsed. */
function isAggregated({ bytes }: StoredObject): boolean {
  return bytes.includes('"aggregationRule"');
}
