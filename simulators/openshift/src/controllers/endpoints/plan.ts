import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { controllerReference } from "@keelson/controller";
import { isReady } from "../pods/pod-state.ts";

interface Port {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** Computes the Endpoints of a Service from its selected pods. Each set of ports has a separate subset. */
export function endpointsOf(service: KubeObject, selected: readonly KubeObject[]): KubeObject {
  const publishAll = valueAt(service, "spec", "publishNotReadyAddresses") === true;
  const groups = new Map<
    string,
    { readonly ports: readonly Port[]; readonly ready: object[]; readonly other: object[] }
  >();
  for (const pod of withAddress(selected)) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], other: [] };
    groups.set(key, group);
    const address = {
      ip: stringAt(pod, "status", "podIP"),
      nodeName: stringAt(pod, "spec", "nodeName"),
      targetRef: targetOf(pod),
    };
    (isServing(pod) || publishAll ? group.ready : group.other).push(address);
  }
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      ...(service.metadata.namespace ? { namespace: service.metadata.namespace } : {}),
      name: service.metadata.name,
      labels: {
        ...service.metadata.labels,
        "endpoints.kubernetes.io/managed-by": "endpoint-controller",
        ...(stringAt(service, "spec", "clusterIP") === "None"
          ? { "service.kubernetes.io/headless": "" }
          : {}),
      },
    },
    subsets: [...groups.values()].map(({ ports, ready, other }) => ({
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(other.length > 0 ? { notReadyAddresses: other } : {}),
      ...(ports.length > 0 ? { ports } : {}),
    })),
  };
}

/** Returns a single slice with all endpoints. The simulation does not limit the slice size. */
export function endpointSliceOf(service: KubeObject, selected: readonly KubeObject[]): KubeObject {
  const publishAll = valueAt(service, "spec", "publishNotReadyAddresses") === true;
  const present = withAddress(selected);
  const first = present[0];
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      ...(service.metadata.namespace ? { namespace: service.metadata.namespace } : {}),
      name: `${service.metadata.name.slice(0, 57)}-${suffixOf(service)}`,
      labels: {
        ...service.metadata.labels,
        "kubernetes.io/service-name": service.metadata.name,
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        ...(stringAt(service, "spec", "clusterIP") === "None"
          ? { "service.kubernetes.io/headless": "" }
          : {}),
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: "IPv4",
    endpoints: present.map((pod) => ({
      addresses: [stringAt(pod, "status", "podIP")],
      conditions: {
        ready: isServing(pod) || publishAll,
        serving: isReady(pod),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      nodeName: stringAt(pod, "spec", "nodeName"),
      targetRef: targetOf(pod),
    })),
    ports: first ? portsOf(service, first).map((port) => ({ ...port, name: port.name ?? "" })) : [],
  };
}

/** Returns a deterministic name suffix for a Service. The fixed name lets later reconciliations find the existing slice. */
function suffixOf({ metadata }: KubeObject): string {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  const digits = (metadata.uid ?? "").replace(/-/g, "");
  return Array.from(
    { length: 5 },
    (_, at) => letters[Number.parseInt(digits.slice(at * 2, at * 2 + 2) || "0", 16) % letters.length],
  ).join("");
}

function withAddress(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods
    .filter((pod) => stringAt(pod, "status", "podIP") !== undefined)
    .filter((pod) => !["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase") ?? ""))
    .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

function isServing(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && isReady(pod);
}

function targetOf({ metadata }: KubeObject): object {
  const { name, namespace, uid } = metadata;
  return { kind: "Pod", name, namespace, uid };
}

/** Resolves the target ports of a Service. Named ports refer to container ports. */
function portsOf(service: KubeObject, pod: KubeObject): readonly Port[] {
  return listAt(service, "spec", "ports").flatMap((each) => {
    const target = valueAt(each, "targetPort") ?? valueAt(each, "port");
    const name = stringAt(each, "name");
    const appProtocol = stringAt(each, "appProtocol");
    const port = typeof target === "number" ? target : namedPort(pod, target);
    if (port === undefined) return [];
    return [
      {
        ...(name ? { name } : {}),
        port: port === 0 ? (numberAt(each, "port") ?? 0) : port,
        protocol: stringAt(each, "protocol") ?? "TCP",
        ...(appProtocol ? { appProtocol } : {}),
      },
    ];
  });
}

function namedPort(pod: KubeObject, name: unknown): number | undefined {
  const ports = listAt(pod, "spec", "containers").flatMap((container) => listAt(container, "ports"));
  return numberAt(
    ports.find((each) => stringAt(each, "name") === name),
    "containerPort",
  );
}
