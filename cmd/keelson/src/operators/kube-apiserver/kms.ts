import { systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  connectKms,
  type KmsService,
  pathOfSocket,
  reportPluginHealth,
  runPreflight,
  socketsProblem,
} from "@keelson/operator-kit/kms";
import type { NodeFlags } from "../../options/node-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { containerRoot } from "../node-place.ts";
import { connectNode, type NodeRun } from "./node-run.ts";

export interface KmsPreflightFlags extends NodeFlags {
  readonly kmsSockets: readonly string[];
  readonly kmsCallTimeout: number;
  readonly configHash: string;
  readonly podName: string;
  readonly podNamespace: string;
}

export interface KmsHealthFlags extends NodeFlags {
  readonly kmsSockets: readonly string[];
  readonly interval: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  readonly nodeName: string;
}

/** Sends one test request to a key management service. @throws Error if the service cannot be used; SocketsInvalid */
export async function runKmsPreflight(flags: KmsPreflightFlags, run: NodeRun): Promise<void> {
  const { kmsSockets: sockets, kmsCallTimeout, configHash, podNamespace, podName } = flags;
  const connect = await pluginsOf(sockets, kmsCallTimeout, run);
  await using api = await connectNode("kms-preflight", flags, run);
  const pod = { namespace: podNamespace, name: podName };
  const deps = { api, connect, clock: systemClock, logger: run.logger };
  await runPreflight({ sockets, configHash, pod }, deps, run.signal);
}

/** Reports the health of key management services until the signal aborts. @throws SocketsInvalid */
export async function runKmsHealthReporter(flags: KmsHealthFlags, run: NodeRun): Promise<void> {
  const { kmsSockets: sockets, nodeName: node, interval: everyMs, writeTimeout: writeTimeoutMs } = flags;
  const connect = await pluginsOf(sockets, flags.readTimeout, run);
  await using api = await connectNode("kms-health-reporter", flags, run);
  await reportPluginHealth(
    { sockets, node, everyMs, writeTimeoutMs, operator: resources.kubeApiServers },
    { api, connect, clock: systemClock, logger: run.logger },
    run.signal,
  );
}

async function pluginsOf(
  sockets: readonly string[],
  callTimeoutMs: number,
  { environment }: NodeRun,
): Promise<(socket: string) => KmsService> {
  const problem = socketsProblem(sockets);
  if (problem !== undefined) throw cliErrors.SocketsInvalid(problem);
  const root = containerRoot(environment);
  const places = new Map<string, string>();
  for (const path of sockets.map(pathOfSocket)) places.set(path, root ? await root.resolve(path) : path);
  return (socket) => {
    const path = pathOfSocket(socket);
    return connectKms(places.get(path) ?? path, callTimeoutMs);
  };
}
