import { type KubeObject, recordAt } from "@keelson/apimachinery";
import { decodeObject } from "../registry/decode-object.ts";
import { decodeToSchema } from "../registry/decode-to-schema.ts";
import { scaled, scaleOf } from "../registry/scale.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { apiVersionOf, type ServedResource } from "../resources/served-resource.ts";

/** An object of a request as a hook sees it that wants to see it in the version of `wanted`: of scaling, the Scale. */
export function shownObject(
  wanted: ServedResource,
  request: AdmissionRequest,
  object: KubeObject,
): KubeObject {
  const shown = objectIn(wanted, request.resource, object);
  return request.subresource === "scale" ? scaleOf(wanted, shown) : shown;
}

/** What becomes of the object of a request when a hook changed what it was shown. @throws StatusError 422 */
export function changedObject(
  shownIn: ServedResource,
  { resource, subresource }: AdmissionRequest,
  object: KubeObject,
  changed: unknown,
): KubeObject {
  if (subresource === "scale") return scaled(resource, object, changed);
  if (object.kind !== resource.type.kind) return { ...object, ...recordAt(changed) };
  const fit = decodeToSchema(shownIn, decodeObject(shownIn, changed), { fieldValidation: "Ignore" });
  return objectIn(resource, shownIn, fit);
}

/** An object of one version of a resource as another version shows it. */
function objectIn(wanted: ServedResource, given: ServedResource, object: KubeObject): KubeObject {
  if (wanted === given) return object;
  return { ...object, apiVersion: apiVersionOf(wanted.type), kind: wanted.type.kind };
}
