import { valueAt } from "@keelson/base";
import { evictPod } from "../../registry/evict.ts";
import { decodeBody } from "../messages/decode-body.ts";
import { sendValue } from "../messages/respond.ts";
import { keyIn, type ResourceRequest } from "../resources/resource-request.ts";
import { removeOptions } from "../resources/write-parameters.ts";

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
