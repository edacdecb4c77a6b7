/** Tests requests to a Prometheus that sends no response, or a response without end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import type { KubeClient } from "@keelson/kube";
import { askPrometheus } from "./prometheus.ts";

const signal = AbortSignal.timeout(900_000);

/** Calls `use` with a client of a cluster that has two Prometheus replicas. `respond` handles the requests to both replicas. */
async function withPrometheus(
  respond: RequestListener,
  use: (kube: KubeClient, connections: () => number) => Promise<void>,
): Promise<void> {
  const server = createServer(respond);
  await once(server.listen(0, "127.0.0.1"), "listening");
  let connections = 0;
  const kube = {
    list: async () => ({ items: [] }),
    connectPort: async () => {
      connections++;
      return connect((server.address() as AddressInfo).port, "127.0.0.1");
    },
  } as unknown as KubeClient;
  try {
    await use(kube, () => connections);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const request = { method: "GET", target: "/api/v1/query?query=up", limitMs: 200 } as const;
const late = { code: "ClusterTimedOut", message: "The cluster's Prometheus did not respond in time." };

test("a query without a response ends at its time limit, and no second replica is asked", () =>
  withPrometheus(
    () => undefined,
    async (kube, connections) => {
      await assert.rejects(askPrometheus(kube, request, signal), late);
      assert.equal(connections(), 1);
    },
  ));

test("an endless response ends at the time limit", () =>
  withPrometheus(
    (_, response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.once("close", () => clearInterval(timer));
    },
    async (kube) => {
      const response = await askPrometheus(kube, request, signal);
      await assert.rejects(response.toArray(), late);
    },
  ));

test("a response within the time limit is complete", () =>
  withPrometheus(
    (_, response) => response.end("{}"),
    async (kube) => {
      const response = await askPrometheus(kube, { ...request, limitMs: 900_000 }, signal);
      assert.equal(Buffer.concat(await response.toArray()).toString(), "{}");
    },
  ));
