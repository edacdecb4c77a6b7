import { type ModifiedPart, modifyObject } from "../../registry/modify.ts";
import { decodeBody } from "../decode-body.ts";
import { keyIn, type ResourceRequest, sendObject, warning } from "../resource-request.ts";
import { writeOptions } from "../write-parameters.ts";

export async function handleUpdate(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const body = await decodeBody(request);
  const options = writeOptions(request.query, "UpdateOptions", warning(call));
  sendObject(
    call,
    200,
    await modifyObject(cluster.context, resource, keyIn(call), part, () => body, options),
  );
}
