import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogicalCluster } from "@keelson/apiserver";
import { type Clock, type Logger, requireOptions } from "@keelson/base";
import type { Cache } from "@keelson/controller";
import { metricsResources } from "../apis/metrics/metrics-resources.ts";
import { cronJobs } from "../controllers/cron-jobs/controller.ts";
import { daemonSets } from "../controllers/daemon-sets/controller.ts";
import { deployments } from "../controllers/deployments/controller.ts";
import { disruptionBudgets } from "../controllers/disruption-budgets/controller.ts";
import { endpoints } from "../controllers/endpoints/controller.ts";
import { jobs } from "../controllers/jobs/controller.ts";
import { loadBalancers } from "../controllers/load-balancers/controller.ts";
import { startHeartbeats } from "../controllers/nodes/heartbeats.ts";
import { nodeLifeCycle } from "../controllers/nodes/life-cycle.ts";
import { podAutoscalers } from "../controllers/pod-autoscalers/controller.ts";
import { replicaSets } from "../controllers/replica-sets/controller.ts";
import { scheduler } from "../controllers/scheduler/controller.ts";
import { statefulSets } from "../controllers/stateful-sets/controller.ts";
import { fixedTrustedCa } from "../controllers/trusted-ca/injected-bundle.ts";
import { volumeClaims } from "../controllers/volume-claims/controller.ts";
import { volumeReclaim } from "../controllers/volume-claims/reclaim.ts";
import { ClusterKubelet } from "../kubelet/cluster-kubelet.ts";
import { KubeletStreams } from "../kubelet/kubelet-streams.ts";
import type { PodServers } from "../kubelet/pod-servers.ts";
import { ImageRegistry } from "../kubelet/processes/image-registry.ts";
import type { ImageRules } from "../kubelet/processes/image-rules.ts";
import { serviceRoute } from "../kubelet/service-route.ts";
import { StaticPods } from "../kubelet/static-pods.ts";
import { startClusterCache } from "../runtime/cluster-cache.ts";
import { startControllers } from "../runtime/start-controllers.ts";
import { WorkloadContext } from "../workload-context/workload-context.ts";
import { addWorkloadIndexes } from "../workload-context/workload-indexes.ts";
import { ensureNodes } from "./plain-nodes.ts";

export interface WorkloadsOptions {
  /** Number or names of ready nodes to create. Default: pods run on the existing nodes. */
  readonly nodes?: number | readonly string[];
  /** Directory of the nodes' and pods' file systems. Default: a temporary directory, which is removed on disposal. */
  readonly directory?: string;
  /** Image behavior. Default: a new `ImageRegistry`. */
  readonly images?: ImageRegistry;
  /** Delay in milliseconds before the restart of a container that has failed twice. Default: 10,000 ms, like Kubernetes. */
  readonly crashBackoffMs?: number;
  /** Running cache of the cluster's other controllers. The workload controllers share this cache. Default: a new cache. */
  readonly cache?: Cache;
  /** Image rules that users configured. */
  readonly imageRules?: ImageRules;
  /** CA bundle for ConfigMaps that request one. If this option is not set, a different controller must inject a bundle. */
  readonly trustedCaPem?: string;
  /** Servers that override the servers of the pods' images. */
  readonly servers?: PodServers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Running controllers and kubelets. Disposal stops all containers without changing objects. */
export interface Workloads extends AsyncDisposable {
  readonly images: ImageRegistry;
  /** Returns the directory of a node's file system. Static pod manifests are in its `/etc/kubernetes/manifests`. */
  nodeDirectory(node: string): string;
}

const defaultCrashBackoffMs = 10_000;

/**
 * Starts the workload components of a cluster: the scheduler, the kubelets, the metrics API and the workload controllers. The
 * controllers manage Deployments, ReplicaSets, DaemonSets, StatefulSets, Jobs, CronJobs, endpoints, load balancers, disruption
 * budgets, autoscalers and volume claims. Resolves after the caches have synced.
 */
export async function startWorkloads(cluster: LogicalCluster, options: WorkloadsOptions): Promise<Workloads> {
  requireOptions("startWorkloads", options, ["clock", "logger"]);
  const { clock, logger, crashBackoffMs = defaultCrashBackoffMs, images = new ImageRegistry() } = options;
  const { client } = cluster;
  if (options.nodes !== undefined) await ensureNodes(client, options.nodes, clock.now());
  // Components of the running workloads. They are disposed in reverse order.
  const parts = new AsyncDisposableStack();
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "keelson-nodes-")));
  if (options.directory === undefined)
    parts.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const kubelet = new ClusterKubelet({
    cluster,
    images,
    imageRules: options.imageRules,
    directory,
    crashBackoffMs,
  });
  const staticPods = parts.use(new StaticPods((node) => kubelet.nodeDirectory(node)));
  const controllers = [
    scheduler,
    kubelet.controller,
    staticPods.controller,
    deployments,
    replicaSets,
    daemonSets,
    statefulSets,
    jobs,
    cronJobs,
    endpoints,
    loadBalancers,
    disruptionBudgets,
    podAutoscalers,
    volumeClaims,
    volumeReclaim,
    ...(options.trustedCaPem === undefined ? [] : [fixedTrustedCa(options.trustedCaPem)]),
    // This life cycle controller is needed only for nodes without machines. A different controller manages nodes with machines.
    ...(options.nodes === undefined ? [] : [nodeLifeCycle]),
  ];
  const cache = options.cache ?? parts.use(startClusterCache(client, { clock, logger })).cache;
  addWorkloadIndexes(cache);
  const context = new WorkloadContext({ client, cache, clock, logger });
  cluster.setKubelet(new KubeletStreams(kubelet, context, options.servers));
  cluster.setServiceRoute(serviceRoute(kubelet, context, options.servers));
  cluster.declareResources(metricsResources(client, clock));
  parts.use(await startControllers(controllers, { cache, context, clock, logger }));
  parts.use(startHeartbeats(context));
  // Stops containers before controllers because a controller may wait for a container to terminate.
  parts.use(kubelet);
  parts.defer(() => cluster.setKubelet(undefined));
  return {
    images,
    nodeDirectory: (node) => kubelet.nodeDirectory(node),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
