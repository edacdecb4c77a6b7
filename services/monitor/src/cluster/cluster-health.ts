import { defineCollector } from "./collector.ts";

/** The first of all: alerts rely on it, also when nothing else can be read. Fails unless the answer is 200. */
export const apiServerHealth = defineCollector({
  name: "emitAPIServerHealthzCode",
  metrics: {
    "apiserver.healthz.code": {
      help: "Status code of the API server's /healthz; 0 when it does not answer.",
      dimensions: ["code"],
    },
  },
  async collect({ view, emit, signal }) {
    const code = await view.kube.statusCode("/healthz", signal);
    emit("apiserver.healthz.code", 1, { code: `${code}` });
    if (code !== 200) throw new Error(`/healthz answered ${code}`);
  },
});

/** Says of an API server that is not healthy whether it runs at all. */
export const apiServerPing = defineCollector({
  name: "emitAPIServerPingCode",
  metrics: {
    "apiserver.healthz.ping.code": {
      help: "Status code of the API server's /healthz/ping, asked when /healthz failed; 0 when it does not answer.",
      dimensions: ["code"],
    },
  },
  async collect({ view, emit, signal }) {
    const code = await view.kube.statusCode("/healthz/ping", signal);
    emit("apiserver.healthz.ping.code", 1, { code: `${code}` });
    if (code !== 200) throw new Error(`/healthz/ping answered ${code}`);
  },
});
