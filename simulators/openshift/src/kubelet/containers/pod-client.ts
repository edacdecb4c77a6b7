import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { connectKube, type KubeClient } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { textsOf } from "./container-environment.ts";
import { PodToken } from "./pod-token.ts";

export interface PodClientDeps {
  readonly pod: KubeObject;
  readonly cluster: LogicalCluster;
  readonly context: WorkloadContext;
}

/** Names with which a program identifies itself to the API server. */
export interface PodClientNames {
  readonly userAgent: string;
  readonly fieldManager: string;
}

/** Returns a client that calls the API over HTTPS with a token of the pod's service account. */
export async function connectAsPod(
  { pod, cluster, context }: PodClientDeps,
  names: PodClientNames,
): Promise<KubeClient> {
  const { namespace = "" } = pod.metadata;
  const token = await new PodToken(cluster, context.clock).current(pod, {});
  const key = { namespace, name: "kube-root-ca.crt" };
  const authority = textsOf(await context.client.find(resources.configMaps, key))["ca.crt"] ?? "";
  const server = {
    server: cluster.url,
    "certificate-authority-data": Buffer.from(authority).toString("base64"),
  };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "account",
    contexts: [{ name: "account", context: { cluster: "cluster", user: "account" } }],
    clusters: [{ name: "cluster", cluster: server }],
    users: [{ name: "account", user: { token } }],
  };
  return connectKube({ kubeconfig: JSON.stringify(kubeconfig), ...names });
}
