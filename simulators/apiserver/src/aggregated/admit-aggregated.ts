import { failures, type KubeObject, subresourceOf } from "@keelson/apimachinery";
import { isPlainObject, objectAt } from "@keelson/base";
import type { ResourceRequest } from "../http/resources/resource-request.ts";
import { admissionOptions } from "../registry/admit.ts";
import { decodeObject } from "../registry/decode-object.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { WriteOptions } from "../resources/registry-context.ts";
import { apiVersionOf } from "../resources/served-resource.ts";

/** Write or deletion of an object in an aggregated resource with handlers. */
interface AggregatedWrite {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/**
 * Runs admission for a write that a handler implements. Returns the object after mutating admission.
 * @throws StatusError
 */
export async function admitAggregated(
  call: ResourceRequest,
  { operation, object, oldObject }: AggregatedWrite,
  options: WriteOptions,
): Promise<KubeObject | undefined> {
  return admit(call, { operation, object, oldObject }, options, (mutated) =>
    ofPath(call, decodeObject(call.resource, mutated)),
  );
}

/** Write of a subresource that a handler implements. */
interface SubresourceWrite {
  readonly operation: "CREATE" | "UPDATE";
  readonly body: unknown;
  /** Subresource before the write. */
  readonly old: unknown;
}

/**
 * Runs admission for the body of a subresource write. The object in admission has the kind of the subresource, not the kind of
 * the main resource.
 * @throws StatusError
 */
export async function admitSubresource(
  call: ResourceRequest,
  { operation, body, old }: SubresourceWrite,
  options: WriteOptions,
): Promise<unknown> {
  const object = ofPart(call, body);
  const oldObject = old === undefined ? undefined : ofPart(call, old);
  const left = await admit(call, { operation, object, oldObject }, options, (mutated) =>
    ofPath(call, ofPart(call, mutated)),
  );
  return left === object ? body : left;
}

function ofPart({ resource: { type }, info }: ResourceRequest, value: unknown): KubeObject {
  const { kind, group = type.group, version = type.version } = subresourceOf(type, info.subresource ?? "");
  const { name = "", namespace } = info;
  const metadata = { ...objectAt(value, "metadata"), name, ...(namespace ? { namespace } : {}) };
  return { ...objectAt(value), apiVersion: apiVersionOf({ group, version }), kind, metadata };
}

async function admit(
  { cluster, resource, info }: ResourceRequest,
  { operation, object, oldObject }: AggregatedWrite,
  options: WriteOptions,
  decode: (mutated: KubeObject) => KubeObject,
): Promise<KubeObject | undefined> {
  const { admission } = cluster.context;
  const request: AdmissionRequest = {
    operation,
    resource,
    namespace: info.namespace,
    name: info.name ?? object?.metadata.name ?? "",
    object,
    oldObject,
    ...admissionOptions(options),
  };
  if (!admission.handles(request)) return object;
  const mutated = await admission.mutate(request);
  const left = object && (mutated === object ? object : decode(mutated));
  await admission.validate({ ...request, object: left });
  return left;
}

/**
 * Copies the URL's name and namespace to a body. Authorization checked the URL, so the body must have the same values.
 * @throws StatusError 400 if the body's name or namespace differs
 */
export function ofPath(call: ResourceRequest, object: KubeObject): KubeObject {
  requirePathOf(call, object);
  const { name, namespace } = call.info;
  return {
    ...object,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { ...object.metadata, ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) },
  };
}

/**
 * Requires that a name and a namespace in the body equal those in the URL. The body may omit both.
 * @throws StatusError 400
 */
export function requirePathOf({ info, resource }: ResourceRequest, body: unknown): void {
  const metadata = isPlainObject(body) && isPlainObject(body.metadata) ? body.metadata : {};
  const { name = "", namespace = "" } = metadata;
  if (info.name !== undefined && name !== "" && name !== info.name) {
    throw failures.badRequest(
      `the name of the object (${String(name)}) does not match the name on the URL (${info.name})`,
    );
  }
  if (resource.type.namespaced && namespace !== "" && namespace !== info.namespace) {
    throw failures.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}
