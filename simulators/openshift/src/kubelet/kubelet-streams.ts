import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { type Duplex, duplexPair, PassThrough } from "node:stream";
import {
  type Kubelet,
  type KubeObject,
  type NodeRequest,
  type NodeResponse,
  StatusError,
} from "@keelson/apiserver";
import { type Clock, exactJson, listAt, numberAt } from "@keelson/base";
import { resources } from "../base/resources.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";
import type { ClusterKubelet } from "./cluster-kubelet.ts";
import type { ContainerRecord } from "./container-record.ts";
import { containerEnvironment } from "./containers/container-environment.ts";
import { respondByDefault } from "./default-server.ts";
import { respondToLogs } from "./node-logs/node-logs.ts";
import type { PodServers } from "./pod-servers.ts";
import type { PodWorker } from "./pod-worker.ts";
import { isKnown, runWords } from "./runs/container-run.ts";
import { terminal } from "./runs/terminal.ts";
import { writerTo } from "./shell/streams.ts";

/** Connects a cluster's pod streams (logs, exec, attach, ports) to the containers of its kubelets. */
export class KubeletStreams implements Kubelet {
  readonly #kubelet: ClusterKubelet;
  readonly #context: WorkloadContext;
  readonly #clock: Clock;
  readonly #servers: PodServers | undefined;

  constructor(kubelet: ClusterKubelet, context: WorkloadContext, servers?: PodServers) {
    this.#servers = servers;
    this.#kubelet = kubelet;
    this.#context = context;
    this.#clock = context.clock;
  }

  logs(...[pod, options, signal]: Parameters<Kubelet["logs"]>): AsyncIterable<Uint8Array> {
    const record = this.#recordOf(pod, options.container);
    const { state, last } = record;
    const run = options.previous ? last?.run : state.kind === "waiting" ? last?.run : state.run;
    if (!run) {
      throw new StatusError(
        400,
        "BadRequest",
        `container "${record.name}" in pod "${pod.metadata.name}" is not available`,
      );
    }
    return run.log.read(options, signal);
  }

  async exec(
    ...[pod, { container, command, tty }, streams, signal]: Parameters<Kubelet["exec"]>
  ): Promise<number> {
    const { worker, record } = this.#running(pod, container);
    const [path = "", ...rest] = command;
    const stderr = streams.stderr ?? streams.stdout;
    const own = this.#kubelet.images.behaviourOf(record.image).commands?.[path];
    if (!own && !isKnown(path)) {
      stderr?.write(
        `exec failed: unable to start container process: exec: ${JSON.stringify(path)}: executable file not found in $PATH\n`,
      );
      return notStartedCode;
    }
    const over = new AbortController();
    const abort = () => over.abort("SIGKILL");
    const containerOver = record.state.kind === "running" ? record.state.run.over : signal;
    const ends = [signal, containerOver];
    for (const end of ends) end.addEventListener("abort", abort, { once: true });
    const discard = () => undefined;
    const stdout = streams.stdout ? writerTo(streams.stdout) : discard;
    const line = tty ? terminal(streams.stdin, stdout, () => over.abort("SIGINT")) : undefined;
    const { name } = pod.metadata;
    try {
      return await (own ?? runWords)({
        args: own ? rest : command,
        env: await containerEnvironment(this.#context, pod, record.spec, {
          PATH: "/usr/local/bin:/usr/bin:/bin",
          HOME: "/root",
          HOSTNAME: name,
          ...(tty ? { TERM: "xterm" } : {}),
        }),
        stdin: line?.stdin ?? streams.stdin ?? new PassThrough().end(),
        stdout: line?.output ?? stdout,
        stderr: line?.output ?? (streams.stderr ? writerTo(streams.stderr) : discard),
        files: await worker.filesOf(record),
        clock: this.#clock,
        tty,
        signal: over.signal,
      });
    } finally {
      for (const end of ends) end.removeEventListener("abort", abort);
    }
  }

  async attach(...[pod, { container }, streams, signal]: Parameters<Kubelet["attach"]>): Promise<number> {
    const { record } = this.#running(pod, container);
    if (record.state.kind !== "running") return 0;
    const { run } = record.state;
    const write = { stdout: streams.stdout, stderr: streams.stderr ?? streams.stdout };
    // When a client attaches to an interactive container, it first receives the previous output.
    if (run.input && streams.stdin) streams.stdout?.write(run.log.text());
    const stop = run.listen((stream, chunk) => void write[stream]?.write(chunk));
    if (streams.stdin && run.input) {
      const { input } = run;
      streams.stdin.on("data", (chunk: Buffer) => {
        if (!input.write(chunk)) {
          streams.stdin?.pause();
          input.once("drain", () => streams.stdin?.resume());
        }
      });
      streams.stdin.once("end", () => {
        if (!signal.aborted) input.end();
      });
    } else streams.stdin?.resume();
    try {
      const either = AbortSignal.any([signal, run.over]);
      if (!either.aborted) await once(either, "abort");
      if (run.over.aborted) return (await run.ended).exitCode;
      run.input?.end();
      return 0;
    } finally {
      stop();
    }
  }

  async connect(...[pod, port, signal]: Parameters<Kubelet["connect"]>): Promise<Duplex> {
    const worker = this.#servers?.refuses(pod) ? undefined : this.#kubelet.workerOf(pod);
    for (const record of worker?.containers ?? []) {
      if (record.state.kind !== "running") continue;
      const behaviour = this.#kubelet.images.behaviourOf(record.image);
      const hostPort = record.state.run.hostPorts?.get(port);
      if (hostPort !== undefined) return socketTo(hostPort, signal);
      const declared = listAt(record.spec, "ports").some((each) => numberAt(each, "containerPort") === port);
      if (behaviour.process || (!declared && !behaviour.ports?.includes(port))) continue;
      const [client, server] = duplexPair();
      const stop = () => server.destroy();
      const { over } = record.state.run;
      over.addEventListener("abort", stop, { once: true });
      server.once("close", () => over.removeEventListener("abort", stop));
      server.on("error", () => undefined);
      const serve = this.#servers?.serverOf(pod, port);
      if (serve) serve(server);
      else if (behaviour.serve) behaviour.serve(server, port, pod);
      else respondByDefault(server, pod);
      return client;
    }
    throw new Error(`dial tcp ${pod.metadata.name}:${port}: connect: connection refused`);
  }

  async askNode(node: KubeObject, { path }: NodeRequest): Promise<NodeResponse> {
    const [name = ""] = path.split("?");
    const pods = this.#context.informer(resources.pods).by("node", node.metadata.name);
    if (name === "/healthz" || name === "/healthz/") return text(200, "ok");
    if (name === "/pods" || name === "/pods/") {
      return text(
        200,
        exactJson({ kind: "PodList", apiVersion: "v1", metadata: {}, items: pods }),
        "application/json",
      );
    }
    if (name === "/logs" || name.startsWith("/logs/")) {
      const nodeDirectory = this.#kubelet.nodeDirectory(node.metadata.name);
      return respondToLogs(this.#context, { node, nodeDirectory }, path);
    }
    if (name === "/metrics") {
      const running = pods.filter((pod) => this.#kubelet.workerOf(pod)).length;
      return text(200, `# TYPE kubelet_running_pods gauge\nkubelet_running_pods ${running}\n`);
    }
    const log = /^\/containerLogs\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(name);
    const pod = pods.find(({ metadata }) => metadata.namespace === log?.[1] && metadata.name === log?.[2]);
    const record = pod && this.#kubelet.workerOf(pod)?.find(log?.[3] ?? "");
    const run = record && (record.state.kind === "waiting" ? record.last?.run : record.state.run);
    return run ? text(200, run.log.text()) : text(404, "404 page not found\n");
  }

  #recordOf(pod: KubeObject, container: string): ContainerRecord {
    const record = this.#kubelet.workerOf(pod)?.find(container);
    if (record) return record;
    throw new StatusError(
      400,
      "BadRequest",
      `container "${container}" in pod "${pod.metadata.name}" is not available`,
    );
  }

  #running(
    pod: KubeObject,
    container: string,
  ): { readonly worker: PodWorker; readonly record: ContainerRecord } {
    const worker = this.#kubelet.workerOf(pod);
    const record = worker?.find(container);
    if (worker && record?.state.kind === "running") return { worker, record };
    throw new StatusError(404, "NotFound", `container not found (${JSON.stringify(container)})`);
  }
}

/** Exit code of container runtimes if the command does not exist. */
const notStartedCode = 255;

function text(status: number, body: string, type = "text/plain"): NodeResponse {
  return {
    status,
    headers: { "content-type": type },
    body: (async function* () {
      yield Buffer.from(body);
    })(),
  };
}

async function socketTo(port: number, signal: AbortSignal): Promise<Duplex> {
  const socket = connectSocket({ port, host: "127.0.0.1", allowHalfOpen: true });
  await once(socket, "connect", { signal });
  return socket;
}
