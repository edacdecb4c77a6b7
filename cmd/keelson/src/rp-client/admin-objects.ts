import { clusterId } from "@keelson/arm";
import type { JsonObject } from "@keelson/base";
import type { ClusterRef } from "../options/cluster-ref.ts";
import type { RpClient } from "./rp-client.ts";

/** Reads and replaces Kubernetes objects of a cluster through the admin API. */
export class AdminObjects {
  readonly #client: RpClient;
  readonly #base: string;

  constructor(client: RpClient, { name, resourceGroup }: ClusterRef) {
    this.#client = client;
    this.#base = `/admin${clusterId(client.subscriptionId, resourceGroup, name)}`;
  }

  /** Returns the path of the action that replaces objects. */
  get replacePath(): string {
    return `${this.#base}/kubernetesobjects`;
  }

  /** Lists the objects of a kind in a namespace, at most 1,000. @throws RequestFailed */
  async list(kind: string, namespace: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const query = new URLSearchParams({ kind, namespace });
    const { items = [] }: { readonly items?: readonly JsonObject[] } = JSON.parse(
      await this.#get(`kubernetesobjects?${query}`, signal),
    );
    return items;
  }

  /** Replaces an object. Fails if the object has changed since it was read. @throws RequestFailed */
  async replace(object: JsonObject, signal: AbortSignal): Promise<void> {
    await this.#client.connection.expect("POST", this.replacePath, object, signal);
  }

  /** Returns the log of a container, at most 50 MiB. @throws RequestFailed */
  podLog(
    {
      namespace,
      pod,
      container,
    }: { readonly namespace: string; readonly pod: string; readonly container: string },
    signal: AbortSignal,
  ): Promise<string> {
    const query = new URLSearchParams({ namespace, podname: pod, container });
    return this.#get(`kubernetespodlogs?${query}`, signal);
  }

  async #get(path: string, signal: AbortSignal): Promise<string> {
    return (await this.#client.connection.expect("GET", `${this.#base}/${path}`, undefined, signal)).body;
  }
}
