import { type ModifiedPart, modifyObject } from "../../registry/modify.ts";
import { readPatch } from "../patch-body.ts";
import { keyIn, type ResourceRequest, sendObject, warning } from "../resource-request.ts";
import { writeOptions } from "../write-parameters.ts";

export async function handlePatch(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const change = await readPatch(request, resource, resource.type);
  const options = writeOptions(request.query, "PatchOptions", warning(call));
  sendObject(call, 200, await modifyObject(cluster.context, resource, keyIn(call), part, change, options));
}
