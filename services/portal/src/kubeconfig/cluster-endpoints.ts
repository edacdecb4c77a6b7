import { createHash } from "node:crypto";
import { Agent } from "node:https";
import type { Clock } from "@keelson/base";
import {
  type ClusterResponses,
  clusterLimits,
  connectKube,
  type KubeClient,
  type KubeEndpoint,
  kubeconfigWithToken,
  kubeEndpoint,
} from "@keelson/kube";
import type { ClusterDocument } from "@keelson/model";
import { portalErrors } from "../errors/portal-errors.ts";
import { PrometheusReader } from "../prometheus/prometheus-reader.ts";

/** API server of a cluster, with the open connections to this server. */
export interface ClusterEndpoint extends KubeEndpoint {
  readonly agent: Agent;
  /** Client for the portal's own requests. */
  readonly kube: KubeClient;
  /** Reader of the cluster's Prometheus. Requires that `kube` is allowed to request service account tokens. */
  readonly prometheus: PrometheusReader;
}

const name = "keelson-portal";
/** Limits on responses to the portal's own requests. */
const limits = { ...clusterLimits, cpu: 10_000 };
const responseMs = 15_000;
const keptMs = 3_600_000;
const connectMs = 30_000;
/** Maximum number of cached endpoints. If there are more, the endpoint that has been unused longest is closed. */
const most = 500;

export interface ClusterEndpointsOptions {
  readonly clock: Clock;
  /** Response parser that all cluster clients of this process share. Default: one parser for each client. */
  readonly responses?: ClusterResponses;
  /** Address of all API servers in a simulated cloud. Default: the private endpoint of each cluster. */
  readonly clusterAddress?: string | undefined;
}

interface Kept {
  readonly endpoint: ClusterEndpoint;
  usedMs: number;
}

/**
 * Caches connections by kubeconfig. A connection is closed one hour after its last use. After a rotation, the new kubeconfig gets
 * a new cache entry, so the rotation takes effect immediately.
 */
export class ClusterEndpoints implements Disposable {
  readonly #options: ClusterEndpointsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ClusterEndpointsOptions) {
    this.#options = options;
  }

  /**
   * Returns the endpoint of a cluster.
   * @throws Conflict if the cluster does not have this kubeconfig yet; KubeError for an invalid kubeconfig
   */
  get({ openShiftCluster }: ClusterDocument, elevated: boolean): ClusterEndpoint {
    const { properties } = openShiftCluster;
    const kubeconfig = (elevated ? properties.aroServiceKubeconfig : properties.aroSREKubeconfig)?.reveal();
    if (kubeconfig === undefined)
      throw portalErrors.Conflict(`Cluster '${openShiftCluster.name}' has no API server yet.`);
    const address = this.#options.clusterAddress ?? properties.networkProfile.privateEndpointIp;
    const location = { resourceId: openShiftCluster.id, kubeconfig, internalAddress: address };
    const key = createHash("sha256").update(`${openShiftCluster.id} ${address} ${kubeconfig}`).digest("hex");
    const nowMs = this.#options.clock.monotonicMs();
    this.#forgetBefore(nowMs - keptMs);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const kept = known ?? { endpoint: open(location, this.#options), usedMs: nowMs };
    kept.usedMs = nowMs;
    this.#kept.set(key, kept);
    return kept.endpoint;
  }

  [Symbol.dispose](): void {
    for (const key of this.#kept.keys()) this.#forget(key);
  }

  /** The cache is ordered by last use, so the entries that have been unused longest come first. */
  #forgetBefore(limitMs: number): void {
    for (const [key, { usedMs }] of this.#kept)
      if (usedMs < limitMs || this.#kept.size >= most) this.#forget(key);
      else break;
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    kept?.endpoint.agent.destroy();
    void kept?.endpoint.prometheus[Symbol.asyncDispose]();
    void kept?.endpoint.kube[Symbol.asyncDispose]();
    this.#kept.delete(key);
  }
}

interface ClusterLocation {
  readonly resourceId: string;
  readonly kubeconfig: string;
  readonly internalAddress: string | undefined;
}

function open(
  { resourceId, kubeconfig, internalAddress }: ClusterLocation,
  { clock, responses }: ClusterEndpointsOptions,
): ClusterEndpoint {
  const reader = { name: "portal", resourceId, limits };
  const endpoint = kubeEndpoint(kubeconfig, internalAddress);
  const connect = (text: string) =>
    connectKube({
      kubeconfig: text,
      userAgent: name,
      fieldManager: name,
      reader,
      responses,
      timeoutMs: responseMs,
      internalAddress,
    });
  const kube = connect(kubeconfig);
  return {
    ...endpoint,
    agent: new Agent({ ...endpoint.tls, keepAlive: true, timeout: connectMs, maxFreeSockets: 8 }),
    kube,
    prometheus: new PrometheusReader({
      service: kube,
      connect: (token) => connect(kubeconfigWithToken(kubeconfig, token)),
      clock,
    }),
  };
}
