import type { KubeObject } from "../../kube-object.ts";
import { modifyObject } from "../../registry/modify.ts";
import { readObject } from "../../registry/read.ts";
import { scaled, scaleOf } from "../../registry/scale.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { decodeBody } from "../decode-body.ts";
import { readPatch } from "../patch-body.ts";
import { keyIn, type ResourceRequest, warning } from "../resource-request.ts";
import { sendJson } from "../respond.ts";
import { writeOptions } from "../write-parameters.ts";

export async function handleScale(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, verb } = call;
  const key = keyIn(call);
  if (verb === "get") {
    sendScale(call, await readObject(cluster.context, resource, key));
    return;
  }
  const change =
    verb === "patch"
      ? await readPatch(request, resource, { group: "autoscaling", version: "v1", kind: "Scale" })
      : await decodeBody(request).then((body) => () => body);
  const options = writeOptions(
    request.query,
    verb === "patch" ? "PatchOptions" : "UpdateOptions",
    warning(call),
  );
  const apply = (object: KubeObject) => scaled(resource, object, change(scaleOf(resource, object)));
  sendScale(call, await modifyObject(cluster.context, resource, key, "main", apply, options));
}

function sendScale({ request, resource }: ResourceRequest, { object }: StoredObject): void {
  sendJson(request.response, 200, scaleOf(resource, object));
}
