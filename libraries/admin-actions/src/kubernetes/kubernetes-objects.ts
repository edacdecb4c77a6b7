import { CloudError } from "@keelson/arm";
import { isPlainObject, objectAt, valueAt } from "@keelson/base";
import {
  isKubeNotFound,
  type KubeClient,
  type KubeObject,
  type KubeResource,
  type Selection,
} from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { checkObjectAccess } from "../context/object-rules.ts";

/** Selects the objects of a request. Unspecified values are empty strings. */
export interface ObjectQuery {
  /** Kind in the form `kind` or `kind.group`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Maximum objects in a list. Limits the service's memory use. */
const listLimit = 1_000;

/**
 * Returns one object, or a Kubernetes list of at most 1,000 objects.
 * @throws CloudError Forbidden, InvalidParameter, InternalServerError; KubeError of the cluster
 */
export async function readObjects(
  { kube, signal }: ActionContext,
  query: ObjectQuery & { readonly unrestricted: boolean },
): Promise<object> {
  const { kind, namespace, name, unrestricted } = query;
  const client = kube();
  const resource = await resourceOf(client, kind, signal);
  checkObjectAccess({ verb: "read", resource, namespace, name, unrestricted });
  const place = namespace === "" ? {} : { namespace };
  if (name !== "") return client.get(resource, { ...place, name }, signal);
  return listObject(client, resource, place, signal);
}

/**
 * Returns a list in the format of the Kubernetes API.
 * @throws CloudError InternalServerError for more than 1,000 objects; KubeError
 */
export async function listObject(
  kube: KubeClient,
  resource: KubeResource,
  selection: Selection,
  signal: AbortSignal,
): Promise<object> {
  const page = await kube.page(resource, { ...selection, limit: listLimit }, signal);
  if (page.continue !== undefined)
    throw new CloudError("InternalServerError", "Too many items returned.", { target: resource.kind });
  return {
    apiVersion: page.apiVersion,
    kind: page.kind,
    metadata: { resourceVersion: page.resourceVersion },
    items: page.items,
  };
}

/**
 * Creates or replaces the object.
 * @throws CloudError Forbidden, InvalidParameter, InvalidRequestContent; KubeError of the cluster
 */
export async function writeObject({ kube, signal }: ActionContext, body: unknown): Promise<void> {
  const object = parseObject(body);
  const [group, version] = groupVersionOf(object);
  const client = kube();
  const kind = group === "" ? object.kind : `${object.kind}.${group}`;
  const resource = await resourceOf(client, kind, signal, version);
  const { namespace = "", name } = object.metadata;
  checkObjectAccess({ verb: "write", resource, namespace, name });
  try {
    await client.replace(resource, object, signal);
  } catch (error) {
    if (!isKubeNotFound(error)) throw error;
    await client.create(resource, object, signal);
  }
}

/**
 * Deletes one object. With `force`, which is allowed only for pods, the object is removed without waiting for the kubelet.
 * @throws CloudError Forbidden, InvalidParameter; KubeError of the cluster, also for a missing object
 */
export async function deleteObject(
  { kube, signal }: ActionContext,
  { kind, namespace, name, force }: ObjectQuery & { readonly force: boolean },
): Promise<void> {
  checkForce(kind, force);
  const client = kube();
  const resource = await resourceOf(client, kind, signal);
  checkObjectAccess({ verb: "write", resource, namespace, name });
  const key = namespace === "" ? { name } : { namespace, name };
  await client.delete(resource, key, signal, {
    mustExist: true,
    ...(force ? { gracePeriodSeconds: 0 } : {}),
  });
}

/**
 * Rejects `force` for all kinds except pods.
 * @throws CloudError Forbidden
 */
export function checkForce(kind: string, force: boolean): void {
  if (force && kind.toLowerCase() !== "pod")
    throw new CloudError("Forbidden", `Force deleting groupKind '${kind}' is forbidden.`);
}

/**
 * Returns the API resource for a kind.
 * @throws CloudError InvalidParameter if the cluster does not serve the kind; KubeError of the cluster
 */
export async function resourceOf(
  kube: KubeClient,
  kind: string,
  signal: AbortSignal,
  version?: string,
): Promise<KubeResource> {
  const resource = await kube.findResource(kind, signal, version);
  if (!resource) throw new CloudError("InvalidParameter", "The provided resource is invalid.");
  return resource;
}

/**
 * Parses a Kubernetes object.
 * @throws CloudError InvalidRequestContent for any other value
 */
export function parseObject(body: unknown): KubeObject {
  if (!isPlainObject(body))
    throw invalidContent("The request content was invalid and could not be deserialized.");
  const { apiVersion, kind, metadata } = body;
  if (typeof apiVersion !== "string" || apiVersion === "")
    throw invalidContent("The request object must include 'apiVersion'.");
  if (typeof kind !== "string" || kind === "")
    throw invalidContent("The request object must include 'kind'.");
  const name = isPlainObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
  const namespace = valueAt(metadata, "namespace");
  if (namespace !== undefined && typeof namespace !== "string")
    throw invalidContent("The request object's 'metadata.namespace' must be a string.");
  return { ...body, apiVersion, kind, metadata: { ...objectAt(metadata), name } };
}

function groupVersionOf({ apiVersion }: KubeObject): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function invalidContent(message: string): CloudError {
  return new CloudError("InvalidRequestContent", message);
}
