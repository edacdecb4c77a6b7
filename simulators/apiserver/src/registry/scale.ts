import {
  failures,
  fieldError,
  internalError,
  type KubeObject,
  numberOrZeroAt,
  scalarStringAt,
  withValueAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { apiVersionOf, parseApiVersion, type ServedResource } from "../resources/served-resource.ts";

const scaleKind = { group: "autoscaling", kind: "Scale" };

/**
 * Converts an object to an autoscaling/v1 Scale. If a custom resource has no replicas, its Scale has no replicas either.
 * @see kubernetes/kubernetes apiextensions-apiserver pkg/registry/customresource/etcd.go (scaleFromCustomResource)
 */
export function scaleOf(resource: ServedResource, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const custom = resource.custom?.scale;
  const selector = custom
    ? scalarStringAt(object, ...(custom.labelSelector ?? [""]))
    : selectorText(valueAt(object, "spec", "selector"));
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)),
    },
    spec: hasReplicas(resource, object) ? { replicas: numberOrZeroAt(object, ...specPath(resource)) } : {},
    status: {
      replicas: numberOrZeroAt(object, ...(custom?.statusReplicas ?? ["status", "replicas"])),
      ...(selector ? { selector } : {}),
    },
  };
}

/**
 * Returns the Scale of an object. A custom resource without replicas is an error, because autoscalers interpret 0 as scaled to
 * zero.
 * @throws StatusError 500
 */
export function readScaleOf(resource: ServedResource, object: KubeObject): KubeObject {
  if (!hasReplicas(resource, object))
    throw internalError(`the spec replicas field ${quotedPath(resource)} does not exist`);
  return scaleOf(resource, object);
}

/**
 * Returns the patched Scale.
 * @throws StatusError 400 if the Scale has no replicas
 */
export function requireReplicas(resource: ServedResource, scale: unknown): unknown {
  if (resource.custom?.scale && valueAt(scale, "spec", "replicas") === undefined)
    throw failures.badRequest(`the spec replicas field ${quotedPath(resource)} cannot be empty`);
  return scale;
}

function hasReplicas(resource: ServedResource, object: KubeObject): boolean {
  return !resource.custom?.scale || valueAt(object, ...specPath(resource)) !== undefined;
}

function quotedPath(resource: ServedResource): string {
  return JSON.stringify(`.${specPath(resource).join(".")}`);
}

/**
 * Returns the object with the replicas of a Scale. `resourceVersion` in the Scale is a precondition.
 * @throws StatusError 422
 */
export function scaled(resource: ServedResource, object: KubeObject, scale: unknown): KubeObject {
  const replicas = replicasOf(scale, object.metadata.name);
  const { apiVersion, kind, metadata } = object;
  const resourceVersion = scalarStringAt(scale, "metadata", "resourceVersion") || metadata.resourceVersion;
  return {
    ...withValueAt(object, specPath(resource), replicas),
    apiVersion,
    kind,
    metadata: { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) },
  };
}

/**
 * Converts a Scale to an apply configuration of the scaled object.
 * @throws StatusError 400, 422
 */
export function scaleConfiguration(resource: ServedResource, name: string, scale: unknown): KubeObject {
  if (scalarStringAt(scale, "apiVersion") !== "autoscaling/v1" || scalarStringAt(scale, "kind") !== "Scale") {
    const { group, version } = parseApiVersion(scalarStringAt(scale, "apiVersion"));
    throw failures.badRequest(
      `invalid object type: ${group}/${version}, Kind=${scalarStringAt(scale, "kind")}`,
    );
  }
  const resourceVersion = scalarStringAt(scale, "metadata", "resourceVersion");
  const metadata = { name, ...(resourceVersion ? { resourceVersion } : {}) };
  const named = { apiVersion: apiVersionOf(resource.type), kind: resource.type.kind, metadata };
  if (valueAt(scale, "spec", "replicas") === undefined) return named;
  return { ...withValueAt({}, specPath(resource), replicasOf(scale, name)), ...named };
}

function replicasOf(scale: unknown, name: string): number {
  const replicas = valueAt(scale, "spec", "replicas") ?? 0;
  if (typeof replicas === "number" && Number.isInteger(replicas) && replicas >= 0 && replicas < 2 ** 31) {
    return replicas;
  }
  throw failures.invalid(scaleKind, name, [
    fieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
  ]);
}

function specPath(resource: ServedResource): readonly string[] {
  return resource.custom?.scale?.specReplicas ?? ["spec", "replicas"];
}

/** Serializes a label selector. The selector may also be a map of labels. */
function selectorText(selector: unknown): string {
  const labels = valueAt(selector, "matchLabels") ?? (valueAt(selector, "matchExpressions") ? {} : selector);
  const equal = Object.entries(objectAt(labels)).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = listAt(selector, "matchExpressions").map((each) => {
    const key = scalarStringAt(each, "key");
    const values = listAt(each, "values").join(",");
    switch (scalarStringAt(each, "operator")) {
      case "In":
        return `${key} in (${values})`;
      case "NotIn":
        return `${key} notin (${values})`;
      case "Exists":
        return key;
      default:
        return `!${key}`;
    }
  });
  return [...equal, ...expressions].join(",");
}
