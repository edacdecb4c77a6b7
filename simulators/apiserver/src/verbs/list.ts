import {
  listQueryOf,
  type ResourceRequest,
  representationFor,
  sendPage,
} from "../http/resources/resource-request.ts";
import { listObjects } from "../registry/list.ts";

export async function handleList(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const representation = representationFor(call);
  const query = listQueryOf(call);
  const page = await listObjects(cluster.context, resource, query, request.budget);
  await sendPage(call, representation, page);
}
