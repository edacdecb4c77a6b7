import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { serviceAccountName, type User } from "./user.ts";

const group = "rbac.authorization.k8s.io";

/** Role reference of a binding. A referenced Role is in the binding's namespace. */
export interface RoleReference {
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
}

/** Binding of one subject to a role. The namespace is empty for a ClusterRoleBinding. */
export interface Binding {
  readonly name: string;
  readonly namespace: string;
  readonly role: RoleReference;
  /** Subject as written in an authorization reason: `Group "builders"`. */
  readonly subject: string;
}

/** User or group. The user name of a service account is `system:serviceaccount:NAMESPACE:NAME`. */
interface Subject {
  readonly kind: string;
  readonly name: string;
}

/** Bindings of one subject by storage key. */
interface SubjectBindings {
  readonly everywhere: Map<string, Binding>;
  readonly byNamespace: Map<string, Map<string, Binding>>;
}

/** Indexing state of one binding kind: the last indexed revision, and the subjects of each binding. */
interface BindingSource {
  readonly bucket: string;
  readonly subjects: Map<string, readonly string[]>;
  revision: number;
}

/**
 * Index of bindings by subject. An authorization decision reads only the user's bindings. Each query first indexes the latest
 * store changes.
 */
export class BindingIndex {
  readonly #store: RevisionStore;
  readonly #bySubject = new Map<string, SubjectBindings>();
  readonly #sources: readonly BindingSource[] = ["clusterrolebindings", "rolebindings"].map((plural) => ({
    bucket: `${group}/${plural}`,
    subjects: new Map(),
    revision: -1,
  }));

  constructor(store: RevisionStore) {
    this.#store = store;
  }

  /** Yields a user's cluster-wide bindings. Also yields the user's bindings in a namespace, unless `namespace` is empty. */
  *of(user: User, namespace: string): Generator<Binding> {
    this.#follow();
    const found = [`User ${user.name}`, ...user.groups.map((each) => `Group ${each}`)].flatMap(
      (subject) => this.#bySubject.get(subject) ?? [],
    );
    for (const { everywhere } of found) yield* everywhere.values();
    if (namespace === "") return;
    for (const { byNamespace } of found) yield* byNamespace.get(namespace)?.values() ?? [];
  }

  /**
   * Yields all cluster-wide bindings, each with its subject. Also yields all bindings in a namespace, unless `namespace` is
   * empty.
   */
  *all(namespace: string): Generator<{ readonly subject: Subject; readonly binding: Binding }> {
    this.#follow();
    for (const [key, { everywhere, byNamespace }] of this.#bySubject) {
      const space = key.indexOf(" ");
      const subject = { kind: key.slice(0, space), name: key.slice(space + 1) };
      for (const binding of everywhere.values()) yield { subject, binding };
      if (namespace === "") continue;
      for (const binding of byNamespace.get(namespace)?.values() ?? []) yield { subject, binding };
    }
  }

  #follow(): void {
    for (const source of this.#sources) {
      if (this.#store.lastRevision(source.bucket) === source.revision) continue;
      const events =
        source.revision < 0 ? undefined : this.#store.eventsAfter(source.bucket, source.revision);
      if (!events) this.#refill(source);
      for (const { revision, current, deleted } of events ?? []) {
        this.#remove(source, current.key);
        if (!deleted) this.#add(source, current);
        source.revision = revision;
      }
    }
  }

  #refill(source: BindingSource): void {
    for (const key of [...source.subjects.keys()]) this.#remove(source, key);
    for (const stored of this.#store.range(source.bucket, "")) this.#add(source, stored);
    source.revision = this.#store.lastRevision(source.bucket);
  }

  #add(source: BindingSource, stored: StoredObject): void {
    const { object } = stored;
    const { name, namespace = "" } = object.metadata;
    const kind = scalarStringAt(object, "roleRef", "kind") === "Role" ? "Role" : "ClusterRole";
    const role = { kind, name: scalarStringAt(object, "roleRef", "name") } as const;
    const filed = listAt(object, "subjects").map((subject) => {
      const { key, shown } = subjectOf(subject, namespace);
      this.#shelfOf(key, namespace).set(stored.key, { name, namespace, role, subject: shown });
      return key;
    });
    source.subjects.set(stored.key, filed);
  }

  #remove(source: BindingSource, key: string): void {
    const namespace = key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
    for (const subject of source.subjects.get(key) ?? []) {
      const found = this.#bySubject.get(subject);
      const bindings = namespace ? found?.byNamespace.get(namespace) : found?.everywhere;
      bindings?.delete(key);
      if (namespace && bindings?.size === 0) found?.byNamespace.delete(namespace);
      if (found?.everywhere.size === 0 && found.byNamespace.size === 0) this.#bySubject.delete(subject);
    }
    source.subjects.delete(key);
  }

  #shelfOf(subject: string, namespace: string): Map<string, Binding> {
    const found = this.#bySubject.get(subject) ?? { everywhere: new Map(), byNamespace: new Map() };
    this.#bySubject.set(subject, found);
    if (!namespace) return found.everywhere;
    const bindings = found.byNamespace.get(namespace) ?? new Map<string, Binding>();
    found.byNamespace.set(namespace, bindings);
    return bindings;
  }
}

/** Returns the index key of a subject. The key of a service account is the key of its user name. */
function subjectOf(subject: unknown, bindingNamespace: string): { key: string; shown: string } {
  const kind = scalarStringAt(subject, "kind");
  const name = scalarStringAt(subject, "name");
  if (kind !== "ServiceAccount") return { key: `${kind} ${name}`, shown: `${kind} ${JSON.stringify(name)}` };
  const namespace = scalarStringAt(subject, "namespace") || bindingNamespace;
  const shown = `ServiceAccount ${JSON.stringify(`${name}/${namespace}`)}`;
  return { key: `User ${serviceAccountName(namespace, name)}`, shown };
}
