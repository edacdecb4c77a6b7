import { keyIn, type ResourceRequest, sendObject } from "../http/resources/resource-request.ts";
import { revisionOf } from "../registry/list-query.ts";
import { readObject } from "../registry/read.ts";

export async function handleGet(call: ResourceRequest): Promise<void> {
  const revision = call.request.query.get("resourceVersion");
  const stored = await readObject(
    call.cluster.context,
    call.resource,
    keyIn(call),
    revision ? revisionOf(revision) : 0,
  );
  await sendObject(call, 200, stored);
}
