import { ignoreGone, inOwnTurns, matchesLabels } from "@keelson/apimachinery";
import { aggregateRules, aggregationOf } from "../auth/aggregate-rules.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const clusterRoles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };
/**
 * Maximum total number of selector terms in all aggregated roles. Up to this number, a changed role is compared with all
 * selectors. With more terms, every aggregated role is queued without a comparison.
 */
const lightTerms = 1_000;
const bucket = `${clusterRoles.group}/${clusterRoles.resource}`;

/**
 * Maintains the rules of ClusterRoles with an `aggregationRule`. The rules of such a ClusterRole are the union of the rules of
 * the selected ClusterRoles.
 */
export class RoleAggregationController implements StoreController {
  readonly name = "role-aggregation";
  readonly #context: RegistryContext;
  /** Selectors of aggregated ClusterRoles by name. */
  readonly #aggregated = new Map<string, ReturnType<typeof aggregationOf>>();

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  resume(add: AddKey): void {
    for (const stored of this.#context.store.range(bucket, "")) {
      if (isAggregated(stored)) this.#learn(stored, add);
    }
  }

  observe({ bucket: changed, previous, current, deleted }: StoreEvent, add: AddKey): void {
    if (changed !== bucket) return;
    this.#aggregated.delete(current.key);
    if (!deleted && isAggregated(current)) this.#learn(current, add);
    const touched = previous ? [previous.labels, current.labels] : [current.labels];
    const terms = [...this.#aggregated.values()].flat().reduce((sum, { length }) => sum + length, 0);
    for (const [name, selectors] of this.#aggregated) {
      const isConcerned =
        terms > lightTerms ||
        selectors.some((selector) => touched.some((each) => matchesLabels(selector, each)));
      if (isConcerned) add(name);
    }
  }

  #learn({ key, object }: StoredObject, add: AddKey): void {
    this.#aggregated.set(key, aggregationOf(object));
    add(key);
  }

  async reconcile(name: string): Promise<undefined> {
    const { store, directory } = this.#context;
    const role = store.get(bucket, name)?.object;
    if (!role || aggregationOf(role).length === 0) return;
    const rules = await inOwnTurns(aggregateRules(role, store.range(bucket, "")), store);
    if (JSON.stringify(rules) === JSON.stringify(role.rules ?? [])) return;
    const resource = directory.get(clusterRoles);
    await modifyObject(this.#context, resource, name, "main", (current) => ({ ...current, rules })).catch(
      ignoreGone,
    );
  }
}

/** True for an aggregated ClusterRole. Searches the serialized bytes, so other roles are not parsed. */
function isAggregated({ bytes }: StoredObject): boolean {
  return bytes.includes('"aggregationRule"');
}
