import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import type { ClusterFaults } from "../faults/fault-registry.ts";
import type { PodServers } from "../kubelet/pod-servers.ts";
import { serveAlertManager } from "./alert-manager.ts";
import { type Response, send } from "./http-response.ts";
import { planAlerts } from "./metrics/alerts.ts";
import { readClusterState } from "./metrics/cluster-state.ts";
import { clusterFigures } from "./metrics/figures.ts";
import { ServedRequestHistory } from "./metrics/served-requests.ts";
import { alertManager, monitoringNamespace, prometheus } from "./monitoring-pods.ts";
import { servePrometheus } from "./prometheus-api.ts";

export interface MonitoringDeps {
  readonly logical: LogicalCluster;
  readonly faults: ClusterFaults;
  readonly clock: Clock;
  readonly logger: Logger;
}

const requestMs = 30_000;
const maxFormBytes = 65_536;

/**
 * Serves a cluster's Prometheus and Alertmanager on the ports of their pods. Responses are computed for each request. Without
 * requests, the only cost of a cluster's monitoring is its five pods.
 */
export class MonitoringServers implements PodServers, Disposable {
  readonly #deps: MonitoringDeps;
  readonly #served: ServedRequestHistory;
  #server: Server | undefined;
  readonly #pods = new WeakMap<object, "prometheus" | "alertmanager">();

  constructor(deps: MonitoringDeps) {
    this.#deps = deps;
    this.#served = new ServedRequestHistory(deps.logical, deps.clock);
  }

  refuses({ metadata }: KubeObject): boolean {
    return this.#deps.faults
      .of("port-unreachable")
      .some(
        ({ parameters }) => parameters.pod === metadata.name && parameters.namespace === metadata.namespace,
      );
  }

  serverOf({ metadata }: KubeObject, port: number): ((connection: Duplex) => void) | undefined {
    const { namespace, labels } = metadata;
    if (namespace !== monitoringNamespace) return undefined;
    const name = labels?.["app.kubernetes.io/name"];
    if (name === prometheus.name && port === prometheus.port)
      return (connection) => this.#serve(connection, name);
    if (name === alertManager.name && port === alertManager.port)
      return (connection) => this.#serve(connection, name);
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #serve(connection: Duplex, name: "prometheus" | "alertmanager"): void {
    this.#server ??= createServer(
      { requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: requestMs },
      (request, response) => void this.#response(request, response),
    );
    this.#pods.set(connection, name);
    this.#server.emit("connection", connection);
  }

  async #response(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const answer = await this.#responseOf(request).catch((error: unknown): Response => {
      this.#deps.logger.warn({ error: messageOf(error) }, "a request to simulated monitoring failed");
      return { status: 500, text: "Internal Server Error\n" };
    });
    send(response, answer);
  }

  async #responseOf(request: IncomingMessage): Promise<Response> {
    const { clock, faults } = this.#deps;
    const now = clock.now();
    const url = new URL(request.url ?? "/", "http://localhost");
    const form = request.method === "POST" ? await readForm(request) : new URLSearchParams();
    if (form === undefined) return { status: 413, text: "Request Entity Too Large\n" };
    if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "POST")
      return { status: 405, text: "Method Not Allowed\n" };
    const history = faults.history();
    const inForce = history.filter(({ toMs }) => toMs === undefined);
    const readAlerts = async () => planAlerts(await readClusterState(this.#deps.logical.client), inForce);
    if (this.#pods.get(request.socket) === "alertmanager") return serveAlertManager(url, now, readAlerts);
    const parameters = new URLSearchParams([...url.searchParams, ...form]);
    const readSeries = async () => {
      const state = await readClusterState(this.#deps.logical.client);
      const alerts = planAlerts(state, inForce);
      return clusterFigures({ state, alerts, faults: history, served: this.#served.read() });
    };
    return servePrometheus(url, parameters, now, readSeries, readAlerts);
  }
}

/** Reads form parameters from a request body. `undefined` if the body is too large. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxFormBytes) return undefined;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
