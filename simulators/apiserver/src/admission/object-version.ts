import type { KubeObject } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { decodeObject } from "../registry/decode-object.ts";
import { decodeToSchema } from "../registry/decode-to-schema.ts";
import { scaled, scaleOf } from "../registry/scale.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { apiVersionOf, type ServedResource } from "../resources/served-resource.ts";

/** Returns the request's object in the version of `wanted`. For the scale subresource, returns a Scale. */
export function shownObject(
  wanted: ServedResource,
  request: AdmissionRequest,
  object: KubeObject,
): KubeObject {
  const shown = objectIn(wanted, request.resource, object);
  return request.subresource === "scale" ? scaleOf(wanted, shown) : shown;
}

/**
 * Converts an object that a webhook changed back to the request's version.
 * @throws StatusError 422
 */
export function changedObject(
  shownIn: ServedResource,
  { resource, subresource }: AdmissionRequest,
  object: KubeObject,
  changed: unknown,
): KubeObject {
  if (subresource === "scale") return scaled(resource, object, changed);
  if (object.kind !== resource.type.kind) return { ...object, ...objectAt(changed) };
  const fit = decodeToSchema(shownIn, decodeObject(shownIn, changed), { fieldValidation: "Ignore" });
  return objectIn(resource, shownIn, fit);
}

/** Converts an object between two versions of its resource. */
function objectIn(wanted: ServedResource, given: ServedResource, object: KubeObject): KubeObject {
  if (wanted === given) return object;
  return { ...object, apiVersion: apiVersionOf(wanted.type), kind: wanted.type.kind };
}
