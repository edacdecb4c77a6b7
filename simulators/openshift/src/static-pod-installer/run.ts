import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { withTimeout } from "@keelson/base";
import { connectKube, type KubeClient } from "@keelson/kube";
import { errors } from "../base/errors.ts";
import { resources } from "../base/resources.ts";
import { textsOf } from "../kubelet/containers/container-environment.ts";
import { PodToken } from "../kubelet/containers/pod-token.ts";
import { type Program, signalExitCode } from "../kubelet/containers/program.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import { parseInstallFlags, parsePruneFlags } from "./flags.ts";
import { install } from "./install.ts";
import { NodeDisk } from "./node-disk.ts";
import { prune } from "./prune.ts";

export interface StaticPodCommandDeps {
  readonly pod: KubeObject;
  readonly cluster: LogicalCluster;
  readonly context: WorkloadContext;
}

/**
 * Returns the program `installer` or `prune`. The program can access only the mounts of its pod. It calls the API over HTTPS with
 * the pod's service account.
 */
export function staticPodCommand(command: "installer" | "prune", deps: StaticPodCommandDeps): Program {
  return async ({ args, env, files, clock, signal, stdout }) => {
    const flags = args.slice(2);
    const disk = new NodeDisk(files);
    const print = (line: string) => void stdout(`${line}\n`);
    if (command === "prune") {
      for (const name of await prune(parsePruneFlags(flags), disk)) print(`Removed ${name}`);
      return 0;
    }
    const options = parseInstallFlags(flags);
    const node = env.NODE_NAME;
    if (!node) throw errors.InvalidStaticPodFlags("the environment variable NODE_NAME is required");
    await using kube = await connectAsPod(deps);
    const limited = withTimeout(signal, options.timeoutMs);
    await install(options, { kube, node, disk, clock, print }, limited);
    return signal.aborted ? signalExitCode(signal) : 0;
  };
}

async function connectAsPod({ pod, cluster, context }: StaticPodCommandDeps): Promise<KubeClient> {
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
  return connectKube({
    kubeconfig: JSON.stringify(kubeconfig),
    userAgent: "cluster-kube-apiserver-operator",
    fieldManager: "static-pod-installer",
  });
}
