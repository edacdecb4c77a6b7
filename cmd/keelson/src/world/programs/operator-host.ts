/**
 * Process that runs all simulated operator pods. Each pod has its own service account, cache, log and ports. The process exits
 * when its IPC channel closes.
 */
import { enableCompileCache } from "node:module";
import process from "node:process";
import { createLogger, Metrics } from "@keelson/base";
import type { FromShared, ToShared } from "@keelson/sim-openshift";
import { compileCache } from "../../process/compile-cache.ts";

enableCompileCache(compileCache);
const { ConnectionPool } = await import("@keelson/kube");
const { failureText } = await import("../../output/failure-text.ts");
const { operatorCommand } = await import("../operator-commands.ts");
const { operatorPod } = await import("../operator-pod.ts");
const { idleCollection } = await import("../../process/idle-collection.ts");
const { limitBufferPool } = await import("../../process/buffer-pool.ts");

limitBufferPool();
const connections = new ConnectionPool();
const pods = new Map<number, AbortController>();
const respond = (message: FromShared) => {
  if (process.connected) process.send?.(message);
};

async function run({ id, args, env }: Extract<ToShared, { kind: "start" }>): Promise<void> {
  const stop = new AbortController();
  pods.set(id, stop);
  const write = (text: string) => respond({ kind: "output", id, text });
  let exitCode = 0;
  try {
    const { logFormat, share } = operatorCommand(args);
    if (!share)
      throw new Error(`'${args.join(" ")}' needs a separate process: keelson up --operators process`);
    await share({
      args: args.slice(1),
      pod: await operatorPod(env),
      connections,
      metrics: new Metrics(),
      logger: createLogger({ level: "info", format: logFormat?.(args) ?? "json", destination: { write } }),
      signal: stop.signal,
    });
  } catch (error) {
    exitCode = stop.signal.aborted ? 130 : 1;
    if (exitCode === 1) write(`keelson: ${failureText(error)}\n`);
  }
  pods.delete(id);
  respond({ kind: "ended", id, exitCode });
}

process.on("message", (message: ToShared) => {
  if (message.kind === "start") void run(message);
  else if (message.kind === "stop") pods.get(message.id)?.abort("draining");
  else respond({ kind: "pong" });
});
const collection = idleCollection();
process.once("disconnect", () => {
  collection[Symbol.dispose]();
  for (const stop of pods.values()) stop.abort("draining");
});
// Ignores the signals that a terminal sends to all processes. This process exits when its parent closes the channel.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
