import type { KubeObject } from "../kube-object.ts";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "../patch/index.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { failures } from "../status/status-error.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { type DecodedBody, decodeJson } from "./decode-body.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";
const applyPatch = "application/apply-patch+yaml";

/** A patch as a function on objects. */
export interface Patch {
  readonly change: (object: KubeObject) => unknown;
  readonly strictErrors: readonly string[];
}

/** Reads a patch of any accepted type but apply. @throws StatusError 400, 413, 415 */
export async function readPatch(
  request: ApiRequest,
  resource: ServedResource,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
): Promise<Patch> {
  const type = mediaTypeOf(request);
  const accepted = [jsonPatch, mergePatch, ...(resource.custom ? [] : [strategicMergePatch]), applyPatch];
  if (!accepted.includes(type)) throw failures.unsupportedMediaType(accepted);
  const { value: patch, strictErrors } = decodeJson((await readBody(request)).toString());
  switch (type) {
    case jsonPatch:
      return { change: (object) => applyJsonPatch(object, patch), strictErrors };
    case mergePatch:
      return { change: (object) => applyMergePatch(object, patch), strictErrors };
    default:
      return { change: (object) => applyStrategicMergePatch(kind, object, patch), strictErrors };
  }
}

/** Whether the patch is a configuration for server-side apply. */
export function isApply(request: ApiRequest): boolean {
  return mediaTypeOf(request) === applyPatch;
}

/** The configuration that is to be applied: YAML or JSON. @throws StatusError 400, 413 */
export async function readApply(request: ApiRequest): Promise<DecodedBody> {
  return readYaml((await readBody(request)).toString());
}
