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

/** API server of a cluster with the open connections to it. */
export interface ClusterEndpoint extends KubeEndpoint {
  readonly agent: Agent;
  /** Client for requests of the portal itself. */
  readonly kube: KubeClient;
  /** Reader of the cluster's Prometheus. It works if `kube` may request tokens. */
  readonly prometheus: PrometheusReader;
}

const name = "keelson-portal";
/** Limits on responses to requests of the portal itself. */
const limits = { ...clusterLimits, cpu: 10_000 };
const answerMs = 15_000;
const keptMs = 3_600_000;
const connectMs = 30_000;
/** Maximum number of cached endpoints. The connections of the least recently used one are closed. */
const most = 500;

export interface ClusterEndpointsOptions {
  readonly clock: Clock;
  /** Parses responses of clusters. Default: each client parses them independently. */
  readonly responses?: ClusterResponses;
  /** Address of the API servers of all clusters in a simulated cloud. Default: each cluster's private endpoint. */
  readonly clusterAddress?: string | undefined;
}

interface Kept {
  readonly endpoint: ClusterEndpoint;
  usedMs: number;
}

/**
 * Connections by kubeconfig, cached for an hour after the last use. A renewed kubeconfig has a new entry, so a
 * rotation takes effect immediately.
 */
export class ClusterEndpoints implements Disposable {
  readonly #options: ClusterEndpointsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ClusterEndpointsOptions) {
    this.#options = options;
  }

  /** @throws Conflict if the cluster has no such kubeconfig yet; KubeError for an unusable one */
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

  /** Entries are ordered by last use, oldest first. */
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
      timeoutMs: answerMs,
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
