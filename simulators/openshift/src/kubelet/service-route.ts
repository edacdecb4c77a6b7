import {
  type NetworkAddress,
  type ServiceRoute,
  WebhookFailure,
  type WebhookResponder,
} from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { resources } from "../base/resources.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import type { ClusterKubelet } from "./cluster-kubelet.ts";
import type { PodServers } from "./pod-servers.ts";
import { simulatedWebhook } from "./simulated-webhook.ts";

const { endpoints, pods, services } = resources;

/**
 * Routes webhook requests for a Service to its endpoints. Requests for pods that run as real processes go to their host ports.
 * Endpoint addresses without a pod remain unchanged. Declared ports of simulated pods allow all admission requests. Connections
 * to other ports of simulated pods are refused.
 */
export function serviceRoute(
  kubelet: ClusterKubelet,
  context: WorkloadContext,
  servers?: PodServers,
): ServiceRoute {
  return ({ namespace, name, port }) => {
    const service = context.informer(services).get({ namespace, name });
    if (!service) throw new WebhookFailure(`service "${name}" not found`);
    const external = stringAt(service, "spec", "externalName");
    if (external) return { host: external, port };
    const wanted = listAt(service, "spec", "ports").find((each) => numberAt(each, "port") === port);
    if (wanted === undefined) throw new WebhookFailure(`no service port ${port} found for service "${name}"`);
    const portName = stringAt(wanted, "name") ?? "";
    let other: NetworkAddress | undefined;
    let refused: string | undefined;
    let simulated: WebhookResponder | undefined;
    for (const subset of listAt(context.informer(endpoints).get({ namespace, name }), "subsets")) {
      const found = listAt(subset, "ports").find((each) => (stringAt(each, "name") ?? "") === portName);
      const target = numberAt(found, "port");
      if (target === undefined) continue;
      for (const address of listAt(subset, "addresses")) {
        const pod = context
          .informer(pods)
          .get({ namespace, name: stringAt(address, "targetRef", "name") ?? "" });
        const hostPort = pod && kubelet.hostPort(pod, target);
        if (hostPort !== undefined) return { host: "127.0.0.1", port: hostPort };
        const host = stringAt(address, "ip") ?? "";
        // The host cannot reach the address of a simulated pod.
        if (pod) {
          refused ??= `${host}:${target}`;
          if (!servers?.refuses(pod))
            simulated ??= simulatedWebhook(kubelet, pod, target, `${host}:${target}`);
        } else other ??= { host, port: target };
      }
    }
    if (other) return other;
    if (simulated) return simulated;
    if (refused) throw new WebhookFailure(`dial tcp ${refused}: connect: connection refused`);
    throw new WebhookFailure(`no endpoints available for service "${name}"`);
  };
}
