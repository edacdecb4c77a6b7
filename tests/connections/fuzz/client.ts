/**
 * Client of the connection fuzzer. Sends requests, watches, exec and port-forward calls, and aborts most of them. Reports the
 * number of calls.
 */
import process from "node:process";
import { messageOf } from "@keelson/base";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { Random, stall } from "./random.ts";

const [seed = "", kubeconfig = ""] = process.argv.slice(2);
const random = new Random(Number(seed));
const pod = { namespace: "default", name: "pod" };
const counts = { ended: 0, failed: 0, lateMs: 0 };
const limitMs = 3_000;

const uses: readonly ((kube: KubeClient, signal: AbortSignal) => Promise<unknown>)[] = [
  (kube, signal) => kube.list(resources.pods, {}, signal),
  async (kube, signal) => {
    const data = { payload: "x".repeat(random.below(200_000)) };
    const metadata = { namespace: "default", name: `c${random.below(1e9)}` };
    await kube.create(resources.configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data }, signal);
    await kube.delete(resources.configMaps, metadata, signal);
  },
  (kube, signal) => drain(kube.watch(resources.configMaps, { resourceVersion: "1" }, signal)),
  (kube, signal) => drain(kube.logs(pod, { container: "c" }, signal)),
  (kube, signal) =>
    drain(kube.exec({ namespace: "default", pod: "pod", container: "c", command: ["x"] }, signal)),
  async (kube, signal) => {
    const tunnel = await kube.connectPort(pod, 80, signal);
    tunnel.on("error", () => undefined);
    signal.addEventListener("abort", () => tunnel.destroy());
    for (let part = 0; part < 20 && !signal.aborted; part++) {
      tunnel.write(Buffer.alloc(random.below(50_000)));
      await new Promise((resolve) => setTimeout(resolve, random.below(20)));
    }
    tunnel.destroy();
  },
];

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) if (random.next() < 0.001) return;
}

async function work(): Promise<never> {
  let kube = open();
  for (;;) {
    const use = uses[random.below(uses.length)];
    const beganAtMs = performance.now();
    try {
      await use?.(kube, AbortSignal.timeout(random.next() < 0.5 ? random.below(200) : limitMs));
      counts.ended++;
    } catch (error) {
      counts.failed++;
      if (process.env.FUZZ_VERBOSE) process.stderr.write(`${messageOf(error)}\n`);
    }
    counts.lateMs = Math.max(counts.lateMs, Math.round(performance.now() - beganAtMs - limitMs));
    if (random.next() < 0.02) {
      void kube[Symbol.asyncDispose]();
      kube = open();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function open(): KubeClient {
  return connectKube({ kubeconfig, userAgent: "fuzz/1", fieldManager: "fuzz" });
}

for (let worker = 0; worker < 12; worker++) void work();
setInterval(() => process.send?.(counts), 500);
process.on("disconnect", () => process.exit());
void stall(random);
