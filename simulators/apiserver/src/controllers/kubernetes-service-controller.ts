import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { createObject } from "../registry/create.ts";
import { modifyObject } from "../registry/modify.ts";
import type { RegistryContext } from "../resources/registry-context.ts";
import { keyOf } from "../resources/served-resource.ts";
import type { StoreEvent } from "../storage/revision-store.ts";
import type { AddKey, StoreController } from "./store-controller.ts";

const namespace = "default";
const name = "kubernetes";
const key = keyOf(namespace, name);
/** Cluster IP of the API server: the first address of the service network (see `service-rules.ts`). */
const clusterIP = "172.30.0.1";
/** Field manager of kube-apiserver. */
const options = { fieldManager: "kube-apiserver" };

/** Network address of the API server for clients inside the cluster. */
export interface AdvertisedAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * Object that the controller maintains. If a different writer changes one of the fields in `members`, the controller restores the
 * field.
 */
interface Kept {
  readonly group: string;
  readonly plural: string;
  readonly body: KubeObject;
  readonly members: readonly string[];
}

/**
 * Maintains the Service `kubernetes` in `default` with its Endpoints and EndpointSlice, as kube-apiserver
 * does.
 */
export class KubernetesServiceController implements StoreController {
  readonly name = "kubernetes-service";
  readonly #context: RegistryContext;
  readonly #kept: ReadonlyMap<string, Kept>;

  constructor(context: RegistryContext, address: AdvertisedAddress | undefined) {
    this.#context = context;
    this.#kept = new Map(keptObjects(address).map((each) => [`${each.group}/${each.plural}`, each]));
  }

  resume(add: AddKey): void {
    for (const bucket of this.#kept.keys()) add(bucket);
  }

  observe({ bucket, current }: StoreEvent, add: AddKey): void {
    const isNamespace = bucket === "/namespaces" && current.key === namespace;
    if (isNamespace) this.resume(add);
    else if (current.key === key && this.#kept.has(bucket)) add(bucket);
  }

  async reconcile(bucket: string): Promise<undefined> {
    const { store, directory } = this.#context;
    const kept = this.#kept.get(bucket);
    if (!kept || !store.get("/namespaces", namespace)) return;
    const resource = directory.get({ group: kept.group, version: "v1", resource: kept.plural });
    const current = store.get(bucket, key)?.object;
    if (!current) {
      await createObject(this.#context, resource, namespace, kept.body, options);
      return;
    }
    if (current.metadata.deletionTimestamp) return;
    if (kept.members.every((member) => isDeepStrictEqual(current[member], kept.body[member]))) return;
    await modifyObject(
      this.#context,
      resource,
      key,
      "main",
      (live) => ({
        ...live,
        ...Object.fromEntries(kept.members.map((member) => [member, valueAt(kept.body, member)])),
      }),
      options,
    );
  }
}

function keptObjects(address: AdvertisedAddress | undefined): readonly Kept[] {
  const port = address?.port ?? 6443;
  const service: Kept = {
    group: "",
    plural: "services",
    members: [],
    body: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, labels: { component: "apiserver", provider: "kubernetes" } },
      spec: {
        clusterIP,
        ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
        sessionAffinity: "None",
        type: "ClusterIP",
      },
    },
  };
  if (!address) return [service];
  const ports = [{ name: "https", port, protocol: "TCP" }];
  return [
    service,
    {
      group: "",
      plural: "endpoints",
      members: ["subsets"],
      body: {
        apiVersion: "v1",
        kind: "Endpoints",
        metadata: { name, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
        subsets: [{ addresses: [{ ip: address.ip }], ports }],
      },
    },
    {
      group: "discovery.k8s.io",
      plural: "endpointslices",
      members: ["endpoints", "ports"],
      body: {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: { name, labels: { "kubernetes.io/service-name": name } },
        addressType: "IPv4",
        endpoints: [{ addresses: [address.ip], conditions: { ready: true } }],
        ports,
      },
    },
  ];
}
