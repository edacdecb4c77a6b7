import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, Metrics, type Sample, Secret, silentLogger } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { startClusterFigures } from "@keelson/env";
import {
  apiVersionOf,
  connectKube,
  type KubeClient,
  type KubeResource,
  type ObjectMeta,
  resources,
} from "@keelson/kube";
import type { ClusterDocument, ClusterProperties, HealthSummary } from "@keelson/model";
import { assertPoolsUpdated, installed } from "@keelson/sim-openshift/testing/installed-cluster";
import { clusterAccess } from "../fleet/cluster-access.ts";
import { clusterCollectors, platformPodNamespaces } from "../fleet/collectors.ts";
import { metricSpecs } from "../fleet/metric-specs.ts";
import { watchCluster } from "../fleet/watch-cluster.ts";
import { ClusterGauges } from "../metrics/cluster-gauges.ts";
import { serviceMetrics } from "../metrics/service-metrics.ts";
import { clusterDocument } from "./watched-cluster.ts";

type World = Awaited<ReturnType<typeof installed>>;

export const buildId = "build-2";
const zone = "eastus.keelson.localhost";
/** Virtual network of the machines in the simulated Azure. */
const network =
  "/subscriptions/7a3036d1-60a1-4605-8a41-44955e050804/resourceGroups/demo-rg/providers/Microsoft.Network/virtualNetworks/demo-vnet/subnets";
/** Time that the clock returns during all collections. */
export const passTime = new Date();

/** Creates a clock that does not run. Each read of its monotonic time advances that time by `stepMs`. */
function steppingClock(stepMs: number): Clock {
  let monotonicMs = 0;
  return {
    now: () => passTime,
    monotonicMs: () => {
      monotonicMs += stepMs;
      return monotonicMs;
    },
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  };
}

export interface PassOptions {
  /** Changes properties in the cluster's document. */
  readonly change?: (properties: ClusterProperties) => ClusterProperties;
  readonly isHourly?: boolean;
  /** Time in ms by which the monotonic clock advances at each read. Default: 0. */
  readonly stepMs?: number;
  readonly limitMs?: number;
  /** Receives the metrics about the monitor itself. */
  readonly listener?: (sample: Sample) => void;
  /** Receives the health of the cluster. If it is set, the health is not stored in the database. */
  readonly onHealth?: (summary: HealthSummary) => void;
}

/** Simulated cluster with HTTPS and the client that the monitor uses in production. The metrics arrive through a Unix socket. */
export class SimulatedCluster implements AsyncDisposable {
  readonly world: World;
  /** Client with a cluster administrator's permissions. */
  readonly kube: KubeClient;
  readonly signal = AbortSignal.timeout(900_000);
  readonly #kubeconfig: string;
  readonly #directory = mkdtempSync(join(tmpdir(), "keelson-monitor-"));

  private constructor(world: World, kube: KubeClient, kubeconfig: string) {
    this.world = world;
    this.kube = kube;
    this.#kubeconfig = kubeconfig;
  }

  static async start(openShiftVersion = "4.19.24"): Promise<SimulatedCluster> {
    const world = await installed({ openShiftVersion });
    try {
      const namespace = "openshift-monitoring";
      await world.client.create(
        { ...resources.clusterRoleBindings, resource: resources.clusterRoleBindings.plural },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name: "monitor" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
          subjects: [{ kind: "ServiceAccount", namespace, name: "default" }],
        },
      );
      const kubeconfig = await world.kubeconfigOf(namespace, "default");
      const kube = connectKube({ kubeconfig, userAgent: "test", fieldManager: "test" });
      await eventually(() => assertPoolsUpdated(world.client));
      return new SimulatedCluster(world, kube, kubeconfig);
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the names of the cluster's machines. Each node has the name of its machine. */
  async names(): Promise<{ readonly masters: readonly string[]; readonly workers: readonly string[] }> {
    const { items } = await this.kube.list(
      resources.machines,
      { namespace: "openshift-machine-api" },
      this.signal,
    );
    const names = items.map(({ metadata }) => metadata.name).sort();
    const isMaster = (name: string) => name.includes("-master-");
    return { masters: names.filter(isMaster), workers: names.filter((name) => !isMaster(name)) };
  }

  /** Creates or updates an object. Also writes the status, if the object has one. */
  async put(
    resource: KubeResource,
    object: Readonly<Record<string, unknown>> & { readonly metadata: ObjectMeta; readonly status?: object },
  ): Promise<void> {
    const { status, ...rest } = object;
    const typed = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...rest };
    await this.kube.ensure(resource, typed, this.signal);
    if (status) await this.kube.mergePatch(resource, object.metadata, { status }, this.signal, "status");
  }

  /** Runs one collection and returns the lines that it sent, in order. */
  async pass({
    change = (each) => each,
    isHourly = false,
    stepMs = 0,
    limitMs,
    listener,
    onHealth,
  }: PassOptions = {}): Promise<readonly string[]> {
    await using statsd = await listen(join(this.#directory, "statsd"));
    const clock = steppingClock(stepMs);
    const metrics = new Metrics();
    if (listener) metrics.listen(listener);
    const collectors = clusterCollectors({ buildId, zone, podNamespaces: platformPodNamespaces });
    {
      await using clusterSink = await startClusterFigures({
        config: {
          statsd: {
            address: `unix:${statsd.path}`,
            format: "geneva",
            account: "service",
            namespace: "service",
            environment: "test",
            clusters: { account: "account", namespace: "clusters" },
          },
        },
        location: "eastus",
        version: buildId,
        service: "monitor",
        onDropped: (_, count) => assert.fail(`${count} lines were dropped`),
        clock,
        logger: silentLogger,
      });
      await watchCluster(
        {
          document: this.#document(change),
          isHourly,
          checksSecurityGroups: true,
          isOurs: () => true,
          progress: () => undefined,
        },
        {
          access: clusterAccess({ connectAzure: () => this.world.azure }),
          collectors,
          ...(limitMs === undefined ? {} : { passLimitMs: limitMs }),
          clusterSink,
          gauges: new ClusterGauges(metrics, metricSpecs(collectors)),
          health: { store: async (_, summary) => onHealth?.(summary) },
          metrics: serviceMetrics(metrics),
          clock,
          logger: silentLogger,
        },
        this.signal,
      );
    }
    return statsd.lines();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kube[Symbol.asyncDispose]();
    await this.world[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #document(change: (properties: ClusterProperties) => ClusterProperties): ClusterDocument {
    const document = clusterDocument("demo", {
      aroServiceKubeconfig: new Secret(this.#kubeconfig),
      apiserverProfile: { visibility: "Public", url: "https://api.demo.eastus.keelson.localhost:6443/" },
      masterProfile: { vmSize: "Standard_D8s_v3", subnetId: `${network}/master-subnet` },
      workerProfiles: [
        {
          name: "worker",
          vmSize: "Standard_D4s_v3",
          diskSizeGB: 128,
          subnetId: `${network}/worker-subnet`,
          count: 3,
        },
      ],
    });
    const { openShiftCluster } = document;
    const properties = change(openShiftCluster.properties);
    return { ...document, openShiftCluster: { ...openShiftCluster, properties } };
  }
}

/** Starts a statsd listener for a single connection. */
async function listen(path: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const server = createServer(async (socket: Socket) =>
    resolve(Buffer.concat(await socket.toArray()).toString()),
  );
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    async lines() {
      return (await promise).split("\n").slice(0, -1);
    },
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed));
    },
  };
}
