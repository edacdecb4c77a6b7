import { mergePatch } from "@keelson/base";
import {
  apiVersionOf,
  isKubeNotFound,
  type KubeApi,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  resources,
  type Selection,
} from "@keelson/kube";
import type { ObservedInput, ObservedObjects } from "@keelson/operator-kit";
import { clientCaSources, serverCaSources } from "../certificates/client-ca.ts";
import { namespaces } from "../config/namespaces.ts";
import { clusterInput, namespaceInput } from "../observers/inputs.ts";
import { configObservers } from "../observers/observers.ts";

/** Snapshot of the objects that determine the configuration of the API servers. */
export class ClusterSnapshot implements ObservedObjects {
  readonly #objects = new Map<string, KubeObject>();

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects)
      this.#objects.set(idOf(object.kind, object.apiVersion, object.metadata), object);
  }

  find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined {
    // The cast is safe, because the resource determines the object type.
    return this.#objects.get(idOf(resource.kind, apiVersionOf(resource), key)) as T | undefined;
  }

  list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[] {
    return [...this.#objects.values()].filter(
      (object): object is T =>
        object.kind === resource.kind &&
        object.apiVersion === apiVersionOf(resource) &&
        (namespace === undefined || object.metadata.namespace === namespace),
    );
  }

  /** Replaces objects. */
  put(objects: readonly KubeObject[]): ClusterSnapshot {
    return new ClusterSnapshot([...this.#objects.values(), ...objects]);
  }

  without(resource: KubeResource, key: ObjectKey): ClusterSnapshot {
    const id = idOf(resource.kind, apiVersionOf(resource), key);
    if (!this.#objects.has(id)) return this;
    return new ClusterSnapshot([...this.#objects].flatMap(([each, object]) => (each === id ? [] : object)));
  }

  /**
   * Returns a new snapshot with changed objects. Each element of `changes` is a merge patch of an existing object, or a new
   * object.
   */
  with(changes: readonly KubeObject[]): ClusterSnapshot {
    const merged = changes.map((change) => {
      const present = this.#objects.get(idOf(change.kind, change.apiVersion, change.metadata));
      return present ? (mergePatch(present, change) as KubeObject) : change;
    });
    return new ClusterSnapshot([...this.#objects.values(), ...merged]);
  }
}

/** Reads all objects that determine revisions. Kinds that the server does not serve are skipped. */
export async function readSnapshot(
  api: KubeApi,
  version: string,
  signal: AbortSignal,
): Promise<ClusterSnapshot> {
  const authorities = [...clientCaSources, ...serverCaSources].map(({ namespace }) => namespace);
  const inputs: readonly ObservedInput[] = [
    clusterInput(resources.kubeApiServers),
    ...[...new Set([...authorities, namespaces.config, namespaces.managed, namespaces.target])].map((each) =>
      namespaceInput(resources.configMaps, each),
    ),
    ...[namespaces.config, namespaces.managed, namespaces.operator, namespaces.target].map((each) =>
      namespaceInput(resources.secrets, each),
    ),
    clusterInput(resources.authentications),
    ...configObservers(version).flatMap((observer) => observer.inputs),
  ];
  const distinct = new Map(
    inputs.map((input) => [JSON.stringify([input.resource, input.selection ?? {}]), input]),
  );
  const lists = [...distinct.values()].map(({ resource, selection = {} }) =>
    list(api, resource, selection, signal),
  );
  return new ClusterSnapshot((await Promise.all(lists)).flat());
}

async function list(
  api: KubeApi,
  resource: KubeResource,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    const { items } = await api.list(resource, selection, signal);
    const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    return items.map((item) => ({ ...item, ...type }));
  } catch (error) {
    if (isKubeNotFound(error)) return [];
    throw error;
  }
}

function idOf(kind: string, apiVersion: string, { namespace = "", name }: ObjectKey): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}
