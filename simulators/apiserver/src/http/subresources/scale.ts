import type { KubeObject } from "@keelson/apimachinery";
import { applyConfiguration } from "../../registry/apply.ts";
import { modifyObject } from "../../registry/modify.ts";
import { readObject } from "../../registry/read.ts";
import { readScaleOf, requireReplicas, scaleConfiguration, scaled, scaleOf } from "../../registry/scale.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { decodeStrictly } from "../messages/decode-body.ts";
import { isApply, type Patch, readApply, readPatch } from "../messages/patch-body.ts";
import { sendValue } from "../messages/respond.ts";
import { keyIn, type ResourceRequest } from "../resources/resource-request.ts";
import { writeOptions } from "../resources/write-parameters.ts";

const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

export async function handleScale(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info } = call;
  const key = keyIn(call);
  if (info.verb === "get") sendScale(call, await readObject(cluster.context, resource, key));
  else if (info.verb === "patch" && isApply(request)) await handleApply(call);
  else {
    const { change, strictErrors } =
      info.verb === "patch" ? await readPatch(request, resource, scaleKind) : await readScale(call);
    const options = writeOptions(
      call,
      info.verb === "patch" ? "PatchOptions" : "UpdateOptions",
      strictErrors,
    );
    const isPatch = info.verb === "patch";
    const apply = async (object: KubeObject) => {
      const scale = await change(scaleOf(resource, object));
      return scaled(resource, object, isPatch ? requireReplicas(resource, scale) : scale);
    };
    sendScale(call, await modifyObject(cluster.context, resource, key, "main", apply, options));
  }
}

async function handleApply(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info } = call;
  const { value, strictErrors } = await readApply(request);
  const options = writeOptions(call, "PatchOptions", strictErrors, true);
  const { namespace, name = "" } = info;
  const config = scaleConfiguration(resource, name, value);
  const { stored } = await applyConfiguration(
    cluster.context,
    resource,
    namespace,
    name,
    "main",
    config,
    options,
  );
  sendScale(call, stored);
}

async function readScale({ request }: ResourceRequest): Promise<Patch> {
  const { value, strictErrors } = await decodeStrictly(request);
  return { change: async () => value, strictErrors };
}

function sendScale({ request, resource }: ResourceRequest, { object }: StoredObject): void {
  sendValue(request.response, 200, readScaleOf(resource, object));
}
