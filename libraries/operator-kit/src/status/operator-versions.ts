import type { ClusterOperatorVersion } from "./cluster-operator-status.ts";

/** Versions that an operator reports. They are initialized from the ClusterOperator, so a restart does not change them. */
export class OperatorVersions {
  readonly #versions = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #seeded = false;

  /** Loads the versions of the ClusterOperator once. Versions that the operator has already set take precedence. */
  seed(versions: readonly ClusterOperatorVersion[]): void {
    if (this.#seeded) return;
    this.#seeded = true;
    const set = [...this.#versions];
    this.#versions.clear();
    for (const { name, version } of versions) this.#versions.set(name, version);
    for (const [name, version] of set) this.#versions.set(name, version);
  }

  set(versions: Readonly<Record<string, string>>): void {
    const changes = Object.entries(versions).filter(
      ([name, version]) => this.#versions.get(name) !== version,
    );
    for (const [name, version] of changes) this.#versions.set(name, version);
    if (changes.length > 0) for (const listener of this.#listeners) listener();
  }

  list(): readonly ClusterOperatorVersion[] {
    return [...this.#versions].map(([name, version]) => ({ name, version }));
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
