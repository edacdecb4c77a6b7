import { isApply, readApply, readPatch } from "../http/messages/patch-body.ts";
import { keyIn, type ResourceRequest, sendObject } from "../http/resources/resource-request.ts";
import { writeOptions } from "../http/resources/write-parameters.ts";
import { applyToObject } from "../registry/apply.ts";
import type { ModifiedPart } from "../registry/modified-part.ts";
import { modifyObject } from "../registry/modify.ts";

export async function handlePatch(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource, info } = call;
  const key = keyIn(call);
  if (isApply(request)) {
    const { value, strictErrors } = await readApply(request);
    const options = writeOptions(call, "PatchOptions", strictErrors, true);
    const { context } = cluster;
    const { namespace, name = "" } = info;
    const { stored, created } = await applyToObject(context, resource, namespace, name, part, value, options);
    await sendObject(call, created ? 201 : 200, stored);
    return;
  }
  const { change, strictErrors, strategicPatch } = await readPatch(request, resource, resource.type);
  const options = { ...writeOptions(call, "PatchOptions", strictErrors), strategicPatch };
  await sendObject(call, 200, await modifyObject(cluster.context, resource, key, part, change, options));
}
