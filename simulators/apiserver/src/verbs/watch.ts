import { randomInt } from "node:crypto";
import { failures, fieldError, StatusError } from "@keelson/apimachinery";
import { streamError, streamWatch } from "../http/messages/watch-stream.ts";
import { listQueryOf, type ResourceRequest, representationFor } from "../http/resources/resource-request.ts";
import { startWatch } from "../registry/watch.ts";

export async function handleWatch(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  if (query.sendInitialEvents !== undefined && !cluster.watchList) throw watchListOff();
  try {
    const watch = await startWatch(cluster.context, resource, query);
    await streamWatch(request.response, watch, {
      representation,
      frames: cluster.frames,
      bookmarks: query.bookmarks,
      timeoutMs: 1_000 * (query.timeoutSeconds || randomInt(1_800, 3_600)),
      clock: cluster.context.clock,
      signal: AbortSignal.any([cluster.networkSignal, ...(resource.custom ? [resource.custom.retired] : [])]),
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 410) throw error;
    streamError(request.response, representation, error);
  }
}

/** Returns the error of a kube-apiserver without the WatchList feature. */
function watchListOff(): StatusError {
  const why = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
  return failures.invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", [
    fieldError.forbidden("sendInitialEvents", why),
  ]);
}
