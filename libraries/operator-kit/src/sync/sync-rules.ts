import { isDeepStrictEqual } from "node:util";
import type { KubeResource, ObjectKey } from "@keelson/kube";

/** Rule for one copy of a ConfigMap or Secret. */
export interface SyncRule {
  /** Resource of the copy: ConfigMaps or Secrets. */
  readonly resource: KubeResource;
  readonly to: Required<ObjectKey>;
  /** Source of the copy. The copy is deleted if this field is undefined or the source is missing. */
  readonly from?: Required<ObjectKey>;
}

/** Rules for all copies of an operator. Fixed rules never change. Rules that observers request may change at run time. */
export class SyncRuleSet {
  readonly #fixed: readonly SyncRule[];
  readonly #byOwner = new Map<string, readonly SyncRule[]>();
  readonly #listeners = new Set<() => void>();

  constructor(fixed: readonly SyncRule[] = []) {
    this.#fixed = fixed;
    requireOneSource(this.rules);
  }

  get rules(): readonly SyncRule[] {
    return [...this.#fixed, ...[...this.#byOwner.values()].flat()];
  }

  /** Replaces the previous rules of the owner. @throws Error if a copy would have two rules */
  set(owner: string, rules: readonly SyncRule[]): void {
    if (isDeepStrictEqual(this.#byOwner.get(owner), rules)) return;
    const others = [...this.#byOwner].flatMap(([name, each]) => (name === owner ? [] : each));
    requireOneSource([...this.#fixed, ...others, ...rules]);
    this.#byOwner.set(owner, rules);
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}

function requireOneSource(rules: readonly SyncRule[]): void {
  const seen = new Set<string>();
  for (const { resource, to } of rules) {
    const name = `${resource.kind} ${to.namespace}/${to.name}`;
    if (seen.has(name)) throw new Error(`two rules copy to ${name}: give it to one of them`);
    seen.add(name);
  }
}
