import { valueAt } from "@keelson/base";
import { decodeBody } from "../http/messages/decode-body.ts";
import { sendValue } from "../http/messages/respond.ts";
import { keyIn, type ResourceRequest, sendObject } from "../http/resources/resource-request.ts";
import { removeOptions } from "../http/resources/write-parameters.ts";
import { removeObject } from "../registry/remove.ts";
import { strategyFor } from "../registry/strategy.ts";

export async function handleDelete(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const body = await decodeBody(request);
  const options = removeOptions(call, body);
  const { kind, stored } = await removeObject(cluster.context, resource, keyIn(call), options);
  if (kind === "terminating") {
    // With `orphanDependents: false`, the response is 202, because the dependents are still being deleted.
    const orphans = valueAt(body, "orphanDependents") ?? request.query.get("orphanDependents");
    await sendObject(call, orphans === false || orphans === "false" ? 202 : 200, stored);
    return;
  }
  if (strategyFor(resource.bucket).returnsDeleted) {
    await sendObject(call, 200, stored);
    return;
  }
  const { group, plural } = resource.type;
  const { name, uid } = stored.object.metadata;
  sendValue(request.response, 200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group ? { group } : {}), kind: plural, uid },
  });
}
