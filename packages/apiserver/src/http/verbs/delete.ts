import { removeObject } from "../../registry/remove.ts";
import { decodeBody } from "../decode-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resource-request.ts";
import { sendJson } from "../respond.ts";
import { removeOptions } from "../write-parameters.ts";

export async function handleDelete(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const options = removeOptions(call, await decodeBody(request));
  const { kind, stored } = await removeObject(cluster.context, resource, keyIn(call), options);
  if (kind === "terminating") {
    sendObject(call, 200, stored);
    return;
  }
  const { group, plural } = resource.type;
  const { name, uid } = stored.object.metadata;
  sendJson(request.response, 200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group ? { group } : {}), kind: plural, uid },
  });
}
