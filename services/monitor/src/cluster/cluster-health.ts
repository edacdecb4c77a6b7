import { defaultTimeoutMs } from "@keelson/kube";
import { defineCollector } from "./collector.ts";

/**
 * Time limit in ms. It exceeds the client's limit for a response, so that an API server that does not respond is reported
 * with the code 0. With equal limits, the collector ended before it could report the code.
 */
const limitMs = defaultTimeoutMs + 10_000;

/**
 * Collects the status code of the API server's health endpoint. Fails unless the status code is 200. This collector runs first,
 * because alerts need the status code even if all other reads fail.
 */
export const apiServerHealth = defineCollector({
  name: "emitAPIServerHealthzCode",
  limitMs,
  metrics: {
    "apiserver.healthz.code": {
      help: "Status code of the API server's /healthz. 0 without a response.",
      dimensions: ["code"],
    },
  },
  async collect({ view, emit, signal }) {
    const code = await view.kube.statusCode("/healthz", signal);
    emit("apiserver.healthz.code", 1, { code: `${code}` });
    if (code !== 200) throw new Error(`/healthz returned status ${code}`);
  },
});

/**
 * Reports the status of `/healthz/ping` if the API server is unhealthy. The status shows whether the API server's process runs.
 */
export const apiServerPing = defineCollector({
  name: "emitAPIServerPingCode",
  limitMs,
  metrics: {
    "apiserver.healthz.ping.code": {
      help: "Status code of the API server's /healthz/ping, requested after /healthz has failed. 0 without a response.",
      dimensions: ["code"],
    },
  },
  async collect({ view, emit, signal }) {
    const code = await view.kube.statusCode("/healthz/ping", signal);
    emit("apiserver.healthz.ping.code", 1, { code: `${code}` });
    if (code !== 200) throw new Error(`/healthz/ping returned status ${code}`);
  },
});
