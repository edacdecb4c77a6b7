import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { Kubelet } from "../../cluster/kubelet.ts";
import { getObject } from "../../registry/read.ts";
import { keyIn, type ResourceRequest } from "../resources/resource-request.ts";

/**
 * Returns the cluster's kubelet.
 * @throws StatusError 501 for a cluster without a kubelet
 */
export function kubeletOf({ cluster, info }: ResourceRequest): Kubelet {
  if (!cluster.kubelet) throw failures.noContainers(info.subresource ?? "");
  return cluster.kubelet;
}

/**
 * Returns the pod or node that the request names.
 * @throws StatusError 404
 */
export function subjectOf(call: ResourceRequest): KubeObject {
  return getObject(call.cluster.context, call.resource, keyIn(call)).object;
}

/**
 * Open stream. `signal` aborts on four events: the server closes, the object is deleted, the client disconnects, or the stream is
 * disposed.
 */
export interface OpenStream extends Disposable {
  readonly signal: AbortSignal;
}

export function openStream(call: ResourceRequest): OpenStream {
  const { cluster, request, resource } = call;
  const key = keyIn(call);
  const closed = new AbortController();
  const close = () => closed.abort();
  const stop = cluster.context.store.onEvent(({ deleted, bucket, current }) => {
    if (deleted && bucket === resource.bucket && current.key === key) close();
  });
  const { socket } = request.incoming;
  socket.once("close", close);
  request.response.once("close", close);
  return {
    signal: AbortSignal.any([closed.signal, cluster.networkSignal]),
    [Symbol.dispose]() {
      stop();
      socket.off("close", close);
      request.response.off("close", close);
      close();
    },
  };
}

export interface ContainerChoice {
  readonly name: string;
  /** The container's entry in `containerStatuses`. Undefined until the kubelet reports it. */
  readonly status: unknown;
}

/**
 * Returns the container that a request selects.
 * @throws StatusError 400 with kube-apiserver's message
 */
export function chooseContainer(pod: KubeObject, asked: string): ContainerChoice {
  const names = (member: string) => listAt(pod.spec, member).map((each) => scalarStringAt(each, "name"));
  const containers = names("containers");
  const initial = names("initContainers");
  const ephemeral = names("ephemeralContainers");
  const { name } = pod.metadata;
  if (!asked && containers.length !== 1) {
    const others = initial.length > 0 ? ` or one of the init containers: [${initial.join(" ")}]` : "";
    throw failures.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${containers.join(" ")}]${others}`,
    );
  }
  const chosen = asked || (containers[0] ?? "");
  if (![...containers, ...initial, ...ephemeral].includes(chosen)) {
    throw failures.badRequest(`container ${chosen} is not valid for pod ${name}`);
  }
  const statuses = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"].flatMap(
    (member) => listAt(pod.status, member),
  );
  return { name: chosen, status: statuses.find((each) => scalarStringAt(each, "name") === chosen) };
}

/**
 * Requires that the pod is scheduled.
 * @throws StatusError 400
 */
export function requireNode(pod: KubeObject): void {
  if (!scalarStringAt(pod.spec, "nodeName")) {
    throw failures.badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  }
}
