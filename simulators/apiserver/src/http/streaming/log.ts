import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { parseLogQuery } from "./log-options.ts";
import { chooseContainer, kubeletOf, openStream, subjectOf } from "./open-stream.ts";

/**
 * Sends the log lines of a container. `follow` continues with new lines. If `other` is set, the container belongs to the pod
 * `other` instead of the requested pod, and `previous` is ignored.
 */
export async function handleLog(call: ResourceRequest, other?: KubeObject): Promise<void> {
  const { request, cluster } = call;
  const pod = other ?? subjectOf(call);
  const { limitBytes, ...asked } = parseLogQuery(
    request.query,
    pod.metadata.name,
    cluster.context.clock.now(),
  );
  const query = other ? { ...asked, previous: false } : asked;
  const { name, status } = chooseContainer(pod, query.container);
  const { response } = request;
  if (!scalarStringAt(pod.spec, "nodeName")) {
    response.writeHead(204).end();
    return;
  }
  const kubelet = kubeletOf(call);
  requireRun(pod.metadata.name, name, status, query.previous);
  using stream = openStream(call);
  const lines = kubelet.logs(pod, { ...query, container: name }, stream.signal);
  response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-cache, private" });
  response.flushHeaders();
  await copy(lines, response, limitBytes ?? Infinity, stream.signal);
  if (!response.destroyed) response.end();
}

/** Copies lines to the client, no faster than the client reads. */
async function copy(
  lines: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  let left = limit;
  try {
    for await (const chunk of lines) {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) await once(response, "drain", { signal });
      if (left <= 0) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Requires that the requested run of the container (current or previous) exists.
 * @throws StatusError 400 with the kubelet's message
 */
function requireRun(pod: string, container: string, status: unknown, previous: boolean): void {
  const subject = `container "${container}" in pod "${pod}"`;
  if (previous) {
    if (valueAt(status, "lastState", "terminated")) return;
    throw failures.badRequest(
      `previous terminated ${subject.replace(/^container /, "container ")} not found`,
    );
  }
  if (valueAt(status, "state", "running") || valueAt(status, "state", "terminated")) return;
  if (valueAt(status, "lastState", "terminated")) return;
  const reason = scalarStringAt(status, "state", "waiting", "reason") || "ContainerCreating";
  const why =
    reason === "ErrImagePull" || reason === "ImagePullBackOff"
      ? "trying and failing to pull image"
      : reason === "InvalidImageName"
        ? "image can't be pulled"
        : reason;
  throw failures.badRequest(`${subject} is waiting to start: ${why}`);
}
