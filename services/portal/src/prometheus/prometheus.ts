import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { isCoded, withTimeout } from "@keelson/base";
import { conditionStatus, type KubeClient, KubeError, objectFields, resources } from "@keelson/kube";
import { portalErrors } from "../errors/portal-errors.ts";

const namespace = "openshift-monitoring";
const labelSelector = "app.kubernetes.io/name=prometheus";
const replicas = ["prometheus-k8s-0", "prometheus-k8s-1"];
const port = 9_090;
const fields = objectFields({ status: { conditions: { type: true, status: true } } });

export interface PrometheusRequest {
  readonly method: "GET" | "POST";
  /** Request path, including the query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /**
   * Time limit in ms for the complete response. The time begins when the connection is established. Default: only the caller's
   * signal limits the response.
   */
  readonly limitMs?: number;
}

/**
 * Sends a request to a cluster's Prometheus. It uses the first replica that is ready and reachable.
 * @throws ClusterFailed
 */
export async function askPrometheus(
  kube: KubeClient,
  asked: PrometheusRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let failure: unknown;
  for (const name of await readyReplicas(kube, signal)) {
    try {
      return await send(await kube.connectPort({ namespace, name }, port, signal), asked, signal);
    } catch (error) {
      signal.throwIfAborted();
      // All other replicas would reject this request too, so they are not tried.
      if (error instanceof KubeError && (error.code === 401 || error.code === 403)) throw error;
      // The query would exceed the time limit on all other replicas too, so it is not sent to them.
      if (isCoded(error) && error.code === "ClusterTimedOut") throw error;
      failure = error;
    }
  }
  throw portalErrors.ClusterFailed("No replica of the cluster's Prometheus answers.", { cause: failure });
}

async function readyReplicas(kube: KubeClient, signal: AbortSignal): Promise<readonly string[]> {
  const { items } = await kube.list(resources.pods, { namespace, labelSelector, fields }, signal);
  const ready = items
    .filter((pod) => conditionStatus(pod, "Ready") === "True")
    .flatMap(({ metadata }) => metadata.name ?? []);
  // If no ready pod has the label, the well-known names of the replicas are used.
  return ready.length > 0 ? ready : replicas;
}

function send(
  connection: Duplex,
  { method, target, headers = {}, body, limitMs }: PrometheusRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: `prometheus-k8s.${namespace}.svc`,
      port,
      method,
      path: target,
      headers: {
        ...headers,
        ...(body ? { "content-length": body.length } : {}),
        connection: "close",
      },
      createConnection: () => connection,
      signal,
    });
    let received: IncomingMessage | undefined;
    sent.once("error", (error) => {
      connection.destroy();
      reject(error);
    });
    sent.once("response", (response) => {
      received = response;
      response.once("close", () => connection.destroy());
      resolve(response);
    });
    if (limitMs !== undefined) {
      const limited = withTimeout(signal, limitMs);
      // If the response has begun, the error is emitted on the response. Its reader then gets the error even in the middle of the
      // body.
      const end = () => signal.aborted || (received ?? sent).destroy(timedOut(limited.reason));
      limited.addEventListener("abort", end, { once: true });
    }
    sent.end(body);
  });
}

function timedOut(cause: unknown): Error {
  return portalErrors.ClusterTimedOut("The cluster's Prometheus did not respond in time.", { cause });
}
