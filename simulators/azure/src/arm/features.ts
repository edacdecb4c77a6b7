import type { Store, Table } from "../store/store.ts";
import type { Registry } from "./registry.ts";

/** Preview features of a subscription. Registration takes minutes in Azure, but is immediate here. */
export class Features {
  readonly #states: Table<string>;
  readonly #registry: Registry<never>;

  constructor(store: Store, registry: Registry<never>) {
    this.#registry = registry;
    this.#states = store.table("feature");
  }

  stateOf(namespace: string, name: string): string {
    return this.#states.get(keyOf(namespace, name)) ?? "NotRegistered";
  }

  /** Returns the preview features of all providers. */
  ofProviders(): readonly { readonly namespace: string; readonly name: string }[] {
    return this.#registry.providers.flatMap(({ namespace, previewFeatures = [] }) =>
      previewFeatures.map((name) => ({ namespace, name })),
    );
  }

  /** Returns the registered features of a provider. */
  registered(namespace: string): readonly { readonly name: string; readonly state: string }[] {
    return this.ofProviders()
      .filter((each) => same(each.namespace, namespace))
      .map((each) => ({
        name: `${each.namespace}/${each.name}`,
        state: this.stateOf(each.namespace, each.name),
      }))
      .filter(({ state }) => state === "Registered");
  }

  set(namespace: string, name: string, state: string): void {
    this.#states.set(keyOf(namespace, name), state);
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`.toLowerCase();
}
