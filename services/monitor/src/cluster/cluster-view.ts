import { clusters as aroClusters, operatorNamespace, singleton } from "@keelson/aro-api";
import type { AzureClients } from "@keelson/azure";
import {
  isKubeNotFound,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
  resources,
} from "@keelson/kube";
import { fieldsOf } from "./cluster-fields.ts";
import { type ClusterVersions, clusterVersions } from "./cluster-versions.ts";

export interface ClusterViewOptions {
  readonly kube: KubeClient;
  /** Returns Azure clients in the cluster's subscription. The clients use the service's credentials. */
  readonly azure: () => AzureClients;
  readonly signal: AbortSignal;
}

/** Data of one cluster for a single collection. Data that several collectors need is read only once. */
export class ClusterView {
  readonly kube: KubeClient;
  readonly #options: ClusterViewOptions;
  readonly #reads = new Map<string, Promise<unknown>>();

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    this.kube = options.kube;
  }

  get azure(): AzureClients {
    return this.#options.azure();
  }

  get(resource: KubeResource, key: ObjectKey): Promise<KubeObject> {
    return this.#once(["get", resource.group, resource.plural, key.namespace, key.name], (signal) =>
      this.kube.get(resource, key, signal, fieldsOf(resource)),
    );
  }

  async find(resource: KubeResource, key: ObjectKey): Promise<KubeObject | undefined> {
    try {
      return await this.get(resource, key);
    } catch (error) {
      if (isKubeNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Lists all objects of a resource, optionally only in one namespace or with these field values. */
  list(resource: KubeResource, namespace?: string, fieldSelector?: string): Promise<readonly KubeObject[]> {
    return this.#once(["list", resource.group, resource.plural, namespace, fieldSelector], async (signal) => {
      const place = {
        ...(namespace === undefined ? {} : { namespace }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      };
      return (await this.kube.list(resource, { ...place, fields: fieldsOf(resource) }, signal)).items;
    });
  }

  versions(): Promise<ClusterVersions> {
    return this.#once(["versions"], async () =>
      clusterVersions(await this.get(resources.clusterVersions, { name: "version" })),
    );
  }

  aroCluster(): Promise<KubeObject> {
    return this.get(aroClusters, { name: singleton.name });
  }

  operatorDeployments(): Promise<readonly KubeObject[]> {
    return this.list(resources.deployments, operatorNamespace);
  }

  machines(): Promise<readonly KubeObject[]> {
    return this.list(resources.machines, "openshift-machine-api");
  }

  #once<T>(names: readonly (string | undefined)[], read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const name = names.join("\0");
    const known = this.#reads.get(name);
    // The cast is safe. All callers that use the same name also use the same read function and result type.
    if (known) return known as Promise<T>;
    const reading = read(this.#options.signal);
    reading.catch(() => undefined);
    this.#reads.set(name, reading);
    return reading;
  }
}
