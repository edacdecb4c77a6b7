import { failures, goValue, type KubeObject, PatchError, sharedTurns } from "@keelson/apimachinery";
import { applyMergePatch } from "@keelson/wire-formats";
import type { ServedResource } from "../../resources/served-resource.ts";
import { type PatchInput, patchFairly } from "../../threads/patch-task.ts";
import { readYaml } from "../../threads/read-yaml.ts";
import { type DecodedBody, decodeJsonFairly } from "./decode-body.ts";
import { type ApiRequest, mediaTypeOf, readBody } from "./request.ts";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";
const applyPatch = "application/apply-patch+yaml";

/** Parsed patch. `change` applies the patch to an object. */
export interface Patch {
  readonly change: (object: KubeObject) => Promise<unknown>;
  readonly strictErrors: readonly string[];
  /** Strategic merge patch in Go's format, for error messages. */
  readonly strategicPatch?: string;
}

/**
 * Parses a patch of any supported type except apply patches.
 * @throws StatusError 400, 413, 415
 */
export async function readPatch(
  request: ApiRequest,
  resource: ServedResource,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
): Promise<Patch> {
  const type = mediaTypeOf(request);
  // Resources of CustomResourceDefinitions do not support strategic merge patches. Aggregated resources support them, because
  // real aggregated API servers have Go types, and `oc apply` sends such patches.
  const isDefined = resource.custom !== undefined && resource.aggregated === undefined;
  const accepted = [jsonPatch, mergePatch, ...(isDefined ? [] : [strategicMergePatch]), applyPatch];
  if (!accepted.includes(type)) {
    throw isDefined ? failures.unsupportedMediaType(accepted) : failures.unsupportedPatchType();
  }
  const body = await readBody(request);
  request.budget.spend(1, body.length);
  await sharedTurns.next(request.owner, request.budget);
  const { value: patch, strictErrors } = await decodeJsonFairly(body.toString(), request);
  const patched = (input: PatchInput) => patchFairly(request.owner, input, request.budget);
  switch (type) {
    case jsonPatch:
      return {
        change: (object) => jsonPatched(patch, patched({ type: "json", object, patch })),
        strictErrors,
      };
    case mergePatch:
      return { change: async (object) => applyMergePatch(object, patch), strictErrors };
    default: {
      const declared = resource.aggregated && (resource.aggregated.mergeRules ?? {});
      return {
        change: (object) => patched({ type: "strategic-merge", kind, declared, object, patch }),
        strictErrors,
        strategicPatch: goValue(patch),
      };
    }
  }
}

/**
 * Returns the patched value. Like kube-apiserver's error, the error of a JSON patch does not identify the failed operation.
 * @throws StatusError 422
 */
async function jsonPatched<T>(patch: unknown, patched: Promise<T>): Promise<T> {
  try {
    return await patched;
  } catch (error) {
    const failed = error instanceof PatchError && Array.isArray(patch) && [400, 422].includes(error.status);
    throw failed ? failures.rejectedPatch(error) : error;
  }
}

/** True if the request is a server-side apply. */
export function isApply(request: ApiRequest): boolean {
  return mediaTypeOf(request) === applyPatch;
}

/** Parses an apply configuration in YAML or JSON. @throws StatusError 400, 413 */
export async function readApply(request: ApiRequest): Promise<DecodedBody> {
  const body = await readBody(request);
  request.budget.spend(1, body.length);
  await sharedTurns.next(request.owner, request.budget);
  return readYaml(body.toString(), request.owner, request.budget);
}
