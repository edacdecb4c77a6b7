import { failures } from "@keelson/apimachinery";
import type { ProcessStreams } from "../../cluster/kubelet.ts";
import { requireCreate } from "../resources/request-attributes.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { wantsSpdy } from "./accept-spdy.ts";
import { acceptWebSocket, wantsWebSocket } from "./accept-web-socket.ts";
import { channelConnection, channelProtocols } from "./channel-connection.ts";
import { chooseContainer, kubeletOf, openStream, requireNode, subjectOf } from "./open-stream.ts";
import type { Outcome, ProcessConnection, WantedStreams } from "./process-connection.ts";
import { spdyConnection } from "./spdy-connection.ts";

type RunProcess = (streams: ProcessStreams, signal: AbortSignal) => Promise<number>;

/** Handles `pods/{name}/exec`: runs a command in a container. */
export async function handleExec(call: ResourceRequest): Promise<void> {
  const { query } = call.request;
  const command = query.getAll("command");
  if (command.length === 0)
    throw failures.badRequest("you must specify at least one command for the container");
  await runProcess(call, wantedStreams(query), (pod, container, tty) => {
    const kubelet = kubeletOf(call);
    return (streams, signal) => kubelet.exec(pod, { container, command, tty }, streams, signal);
  });
}

/** Handles `pods/{name}/attach`: connects the client to the streams of a container's main process. */
export async function handleAttach(call: ResourceRequest): Promise<void> {
  await runProcess(call, wantedStreams(call.request.query), (pod, container, tty) => {
    const kubelet = kubeletOf(call);
    return (streams, signal) => kubelet.attach(pod, { container, tty }, streams, signal);
  });
}

async function runProcess(
  call: ResourceRequest,
  wanted: WantedStreams,
  prepare: (pod: ReturnType<typeof subjectOf>, container: string, tty: boolean) => RunProcess,
): Promise<void> {
  // A WebSocket request is a GET, but exec requires the verb create. Without this check, users with read permission could run
  // commands.
  await requireCreate(call);
  const pod = subjectOf(call);
  const { name } = chooseContainer(pod, call.request.query.get("container") ?? "");
  requireNode(pod);
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr) {
    throw failures.badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const run = prepare(pod, name, wanted.tty);
  const connection = await connect(call, wanted);
  using stream = openStream(call);
  const signal = AbortSignal.any([stream.signal, connection.signal]);
  // The call does not end immediately after a disconnect, because the process must still receive the end of its input.
  await connection.finish(await outcomeOf(() => run(connection.streams, signal)));
}

async function outcomeOf(run: () => Promise<number>): Promise<Outcome> {
  try {
    return { kind: "exited", exitCode: await run() };
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function connect(call: ResourceRequest, wanted: WantedStreams): Promise<ProcessConnection> {
  if (wantsWebSocket(call)) {
    const { webSocket, protocol } = await acceptWebSocket(call, channelProtocols);
    return channelConnection(webSocket, protocol || "channel.k8s.io", wanted);
  }
  if (wantsSpdy(call)) return spdyConnection(call, wanted);
  throw failures.badRequest("Upgrade request required");
}

function wantedStreams(query: URLSearchParams): WantedStreams {
  const flag = (name: string) => ["true", "1"].includes((query.get(name) ?? "").toLowerCase());
  return { stdin: flag("stdin"), stdout: flag("stdout"), stderr: flag("stderr"), tty: flag("tty") };
}
