import { parseJson } from "../json/parse.ts";
import type { KubeObject } from "../kube-object.ts";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "../patch/index.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { failures } from "../status/status-error.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/** Reads a patch of any accepted type, as a function on objects. @throws StatusError 400, 413, 415 */
export async function readPatch(
  request: ApiRequest,
  resource: ServedResource,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
): Promise<(object: KubeObject) => unknown> {
  const type = mediaTypeOf(request);
  const accepted = resource.custom ? [jsonPatch, mergePatch] : [jsonPatch, mergePatch, strategicMergePatch];
  if (!accepted.includes(type)) throw failures.unsupportedMediaType(accepted);
  const patch = parseJson((await readBody(request)).toString());
  switch (type) {
    case jsonPatch:
      return (object) => applyJsonPatch(object, patch);
    case mergePatch:
      return (object) => applyMergePatch(object, patch);
    default:
      return (object) => applyStrategicMergePatch(kind, object, patch);
  }
}
