import { valueAt } from "../../json/access.ts";
import { evictPod } from "../../registry/evict.ts";
import { decodeBody } from "../decode-body.ts";
import { keyIn, type ResourceRequest } from "../resource-request.ts";
import { sendValue } from "../respond.ts";
import { removeOptions } from "../write-parameters.ts";

export async function handleEviction(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource } = call;
  const key = keyIn(call);
  const body = await decodeBody(request);
  const options = removeOptions(call, valueAt(body, "deleteOptions"));
  await evictPod(cluster.context, resource, key, body, options);
  sendValue(request.response, 201, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
}
