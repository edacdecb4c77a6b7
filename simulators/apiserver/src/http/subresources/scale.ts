import type { KubeObject, PrinterColumn } from "@keelson/apimachinery";
import { applyConfiguration } from "../../registry/apply.ts";
import { modifyObject } from "../../registry/modify.ts";
import { readObject } from "../../registry/read.ts";
import { readScaleOf, requireReplicas, scaleConfiguration, scaled, scaleOf } from "../../registry/scale.ts";
import { encodeObject, type StoredObject } from "../../storage/stored-object.ts";
import { decodeStrictly } from "../messages/decode-body.ts";
import { isApply, type Patch, readApply, readPatch } from "../messages/patch-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../resources/resource-request.ts";
import { writeOptions } from "../resources/write-parameters.ts";

const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

const scaleColumns: readonly PrinterColumn[] = [
  { name: "Desired", type: "integer", jsonPath: ".spec.replicas", priority: 0 },
  { name: "Available", type: "integer", jsonPath: ".status.replicas", priority: 0 },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", priority: 0 },
];

export async function handleScale(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info } = call;
  const key = keyIn(call);
  if (info.verb === "get") await sendScale(call, await readObject(cluster.context, resource, key));
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
    await sendScale(call, await modifyObject(cluster.context, resource, key, "main", apply, options));
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
  await sendScale(call, stored);
}

async function readScale({ request }: ResourceRequest): Promise<Patch> {
  const { value, strictErrors } = await decodeStrictly(request);
  return { change: async () => value, strictErrors };
}

/** Sends the scale in the negotiated form. Tables have the columns of kubernetes pkg/printers/internalversion. */
async function sendScale(call: ResourceRequest, { object, key, revision }: StoredObject): Promise<void> {
  const { resource } = call;
  const scale = encodeObject(key, revision, readScaleOf(resource, object));
  const type = {
    ...resource.type,
    ...scaleKind,
    plural: "scales",
    columns: scaleColumns,
    origin: "custom",
  } as const;
  await sendObject({ ...call, resource: { ...resource, type } }, 200, scale);
}
