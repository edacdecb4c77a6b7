import { listObjects } from "../../registry/list.ts";
import { removeObject } from "../../registry/remove.ts";
import { StatusError } from "../../status/status-error.ts";
import { decodeBody } from "../decode-body.ts";
import { listQueryOf, type ResourceRequest, representationFor } from "../resource-request.ts";
import { send } from "../respond.ts";
import { removeOptions } from "../write-parameters.ts";

export async function handleDeleteCollection(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const options = removeOptions(call, await decodeBody(request));
  const page = await listObjects(cluster.context, resource, query);
  for (const stored of page.objects) {
    const { uid } = stored.object.metadata;
    const preconditions = uid ? { uid } : {};
    try {
      await removeObject(cluster.context, resource, stored.key, { ...options, preconditions });
    } catch (error) {
      // Whoever deleted it first did what was asked.
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }
  send(request.response, 200, representation.contentType, representation.list(page));
}
