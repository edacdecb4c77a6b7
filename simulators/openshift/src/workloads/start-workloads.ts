import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogicalCluster } from "@keelson/apiserver";
import type { Clock, Logger } from "@keelson/base";
import { metricsResources } from "../apis/metrics/metrics-resources.ts";
import { cronJobs } from "../controllers/cron-jobs/controller.ts";
import { daemonSets } from "../controllers/daemon-sets/controller.ts";
import { deployments } from "../controllers/deployments/controller.ts";
import { disruptionBudgets } from "../controllers/disruption-budgets/controller.ts";
import { endpoints } from "../controllers/endpoints/controller.ts";
import { jobs } from "../controllers/jobs/controller.ts";
import { loadBalancers } from "../controllers/load-balancers/controller.ts";
import { nodeLifeCycle } from "../controllers/nodes/life-cycle.ts";
import { podAutoscalers } from "../controllers/pod-autoscalers/controller.ts";
import { replicaSets } from "../controllers/replica-sets/controller.ts";
import { scheduler } from "../controllers/scheduler/controller.ts";
import { statefulSets } from "../controllers/stateful-sets/controller.ts";
import { volumeClaims } from "../controllers/volume-claims/controller.ts";
import { volumeReclaim } from "../controllers/volume-claims/reclaim.ts";
import { ClusterKubelet } from "../kubelet/cluster-kubelet.ts";
import { ImageRegistry } from "../kubelet/image-registry.ts";
import { KubeletDoors } from "../kubelet/kubelet-doors.ts";
import { serviceRoute } from "../kubelet/service-route.ts";
import { StaticPods } from "../kubelet/static-pods.ts";
import { ensureNodes } from "./plain-nodes.ts";
import { workloadIndexers } from "./workload-resources.ts";
import { WorkloadRuntime } from "./workload-runtime.ts";

export interface WorkloadsOptions {
  /** Creates ready nodes: so many, or of these names. Without it pods run on whatever nodes others create. */
  readonly nodes?: number | readonly string[];
  /** Where the file systems of nodes and pods are; a temporary folder, removed at the end, when absent. */
  readonly folder?: string;
  /** What images do; the defaults when absent. */
  readonly images?: ImageRegistry;
  /** Milliseconds before a container that failed twice starts again; 10,000 when absent, as in Kubernetes. */
  readonly crashBackoffMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Controllers and kubelets at work; disposal stops all containers and leaves the objects as they are. */
export interface Workloads extends AsyncDisposable {
  readonly images: ImageRegistry;
  /** The file system of a node: `/etc/kubernetes/manifests` below it holds its static pods. */
  nodeFolder(node: string): string;
}

const defaultCrashBackoffMs = 10_000;

/**
 * Makes workloads of a cluster run: scheduler, kubelets, Deployments, ReplicaSets, DaemonSets, StatefulSets, Jobs,
 * CronJobs, endpoints, load balancers, disruption budgets, autoscalers and claims, and serves their metrics. Resolves when
 * everything that exists has been seen.
 */
export async function startWorkloads(cluster: LogicalCluster, options: WorkloadsOptions): Promise<Workloads> {
  const { clock, logger, crashBackoffMs = defaultCrashBackoffMs, images = new ImageRegistry() } = options;
  if (options.nodes !== undefined) await ensureNodes(cluster.client, options.nodes, clock.now());
  const temporary =
    options.folder === undefined ? await mkdtemp(join(tmpdir(), "keelson-nodes-")) : undefined;
  const folder = options.folder ?? temporary ?? "";
  const kubelet = new ClusterKubelet({ cluster, images, folder, crashBackoffMs });
  const staticPods = new StaticPods((node) => kubelet.nodeFolder(node));
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
    // Nodes with machines have a controller of their own.
    ...(options.nodes === undefined ? [] : [nodeLifeCycle]),
  ];
  const runtime = new WorkloadRuntime(cluster.client, controllers, workloadIndexers, { clock, logger });
  kubelet.start((key) => runtime.enqueue(kubelet.controller.name, key));
  staticPods.start((node) => runtime.enqueue(staticPods.controller.name, node));
  cluster.setKubelet(new KubeletDoors(kubelet, runtime.context));
  cluster.setServiceRoute(serviceRoute(kubelet, runtime.context));
  cluster.declareResources(metricsResources(cluster.client, clock));
  await runtime.start();
  return {
    images,
    nodeFolder: (node) => kubelet.nodeFolder(node),
    async [Symbol.asyncDispose]() {
      cluster.setKubelet(undefined);
      // Containers first: a controller may be waiting for one to end.
      await kubelet[Symbol.asyncDispose]();
      await runtime[Symbol.asyncDispose]();
      staticPods[Symbol.dispose]();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
