import { type ModifiedPart, modifyObject } from "../../registry/modify.ts";
import { decodeStrictly } from "../decode-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resource-request.ts";
import { writeOptions } from "../write-parameters.ts";

export async function handleUpdate(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const { value: body, strictErrors } = await decodeStrictly(request);
  const options = writeOptions(call, "UpdateOptions", strictErrors);
  sendObject(
    call,
    200,
    await modifyObject(cluster.context, resource, keyIn(call), part, () => body, options),
  );
}
