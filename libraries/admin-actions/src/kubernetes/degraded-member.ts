import { CloudError } from "@keelson/arm";
import { listAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** The single failed member of etcd. */
export interface DegradedMember {
  /** Node name, which is also the member's name. */
  readonly node: string;
  readonly pod: string;
}

const podPrefix = "etcd-";

/**
 * Finds the failed member through etcd's pods. Exactly one pod must have a container that is not ready. All other pods must still
 * have the addresses that they had at their creation. Several failed members require a restore from a backup.
 * @throws CloudError InternalServerError if no pod or several pods have failed, or if the changed address belongs to a different
 * pod
 * @see Azure/ARO-RP pkg/frontend/fixetcd.go
 */
export function findDegradedMember(pods: readonly KubeObject[]): DegradedMember {
  const moved = pods.filter(hasMoved);
  if (moved.length > 1) {
    throw refused(
      `only one degraded etcd is supported, but these pods have other addresses than before: ${namesOf(moved)}`,
    );
  }
  const failing = pods.filter(isFailing);
  if (failing.length > 1)
    throw refused(`only one degraded etcd is supported, but these pods are not ready: ${namesOf(failing)}`);
  const [pod] = failing;
  if (!pod) throw refused("no etcd pod is failing: there is nothing to recover");
  const [movedPod = pod] = moved;
  if (movedPod.metadata.name !== pod.metadata.name) {
    throw refused(
      `etcd pod ${pod.metadata.name} is not ready, but ${movedPod.metadata.name} has a different address than before`,
    );
  }
  const { name } = pod.metadata;
  return { node: stringAt(pod, "spec", "nodeName") ?? name.slice(podPrefix.length), pod: name };
}

/**
 * Returns the pod name of a healthy member, through which the failed member can be removed.
 * @throws CloudError InternalServerError if no member is healthy
 */
export function findPeer(pods: readonly KubeObject[], degraded: DegradedMember): string {
  const peer = pods.find((pod) => pod.metadata.name !== degraded.pod && etcdStatus(pod)?.ready === true);
  if (!peer) throw refused("no other etcd pod is ready: the failed member cannot be removed");
  return peer.metadata.name;
}

/**
 * True if the pod's address differs from its environment variable `NODE_NAME_IP`. In the variable's name, NAME is the node's name
 * with `_` instead of `-`.
 */
function hasMoved(pod: KubeObject): boolean {
  const { name } = pod.metadata;
  const variable = `NODE_${name.slice(podPrefix.length).replace(/[-.]/g, "_")}_IP`;
  const configured = listAt(pod, "spec", "containers")
    .filter((container) => stringAt(container, "name") === "etcd")
    .flatMap((container) => listAt(container, "env"))
    .find((each) => stringAt(each, "name") === variable);
  const address = stringAt(configured, "value") ?? "";
  const addresses = listAt(pod, "status", "podIPs").map((each) => stringAt(each, "ip"));
  return address !== "" && addresses.length > 0 && !addresses.includes(address);
}

function isFailing(pod: KubeObject): boolean {
  return etcdStatus(pod)?.ready === false;
}

function etcdStatus(pod: KubeObject): { readonly ready: boolean } | undefined {
  const status = listAt(pod, "status", "containerStatuses").find((each) => stringAt(each, "name") === "etcd");
  return status === undefined ? undefined : { ready: valueAt(status, "ready") === true };
}

function namesOf(pods: readonly KubeObject[]): string {
  return pods.map(({ metadata }) => metadata.name).join(", ");
}

function refused(message: string): CloudError {
  return new CloudError("InternalServerError", message);
}
