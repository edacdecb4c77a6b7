/**
 * Thread that repeats a GET request. For each message, it posts the latencies since the previous message. A separate thread is
 * necessary because the main thread also runs the simulated Azure.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Agent, request } from "undici";

const { url, token, caPem }: { url: string; token: string; caPem: string } = workerData;
const pauseMs = 20;
let latencies: number[] = [];
/** Start of the request in progress. Its latency so far counts, so that a blocked server is visible. */
let startedMs: number | undefined;
let failed = 0;

parentPort?.on("message", () => {
  const pending = startedMs === undefined ? [] : [performance.now() - startedMs];
  parentPort?.postMessage({ latencies: [...latencies, ...pending], failed });
  latencies = [];
  failed = 0;
});
const dispatcher = new Agent({ connect: { ca: caPem } });
const headers = { authorization: `Bearer ${token}` };
for (;;) {
  startedMs = performance.now();
  try {
    const { statusCode, body } = await request(url, { dispatcher, headers });
    await body.dump();
    if (statusCode !== 200) failed++;
  } catch {
    failed++;
  }
  latencies.push(performance.now() - startedMs);
  startedMs = undefined;
  await delay(pauseMs);
}
