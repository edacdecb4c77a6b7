import { listObjects } from "../../registry/list.ts";
import { listQueryOf, type ResourceRequest, representationFor } from "../resource-request.ts";
import { send } from "../respond.ts";

export async function handleList(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const page = await listObjects(cluster.context, resource, query);
  send(request.response, 200, representation.contentType, representation.list(page));
}
