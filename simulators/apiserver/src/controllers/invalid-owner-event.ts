import { type KubeObject, type OwnerReference, StatusError } from "@keelson/apimachinery";
import { createObject } from "../registry/create.ts";
import { type RegistryContext, timestamp } from "../resources/registry-context.ts";

const events = { group: "", version: "v1", resource: "events" };
const component = "garbage-collector-controller";

/**
 * Creates a Warning Event for an object with an owner in a different namespace. There is one Event for each object and owner.
 * @see kubernetes/kubernetes pkg/controller/garbagecollector/graph_builder.go (reportInvalidNamespaceOwnerRef)
 */
export async function reportInvalidOwner(
  context: RegistryContext,
  dependent: KubeObject,
  owner: OwnerReference,
): Promise<void> {
  const { name, namespace = "", uid } = dependent.metadata;
  const identity = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const now = timestamp(context.clock);
  const { apiVersion, kind } = dependent;
  // Events of cluster-scoped objects are in the namespace `default`, as in client-go.
  const place = namespace || "default";
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${owner.uid}`, namespace: place },
    involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), uid },
    type: "Warning",
    reason: "OwnerRefInvalidNamespace",
    message: `ownerRef ${identity} does not exist in namespace ${JSON.stringify(namespace)}`,
    source: { component },
    reportingComponent: component,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  try {
    await createObject(context, context.directory.get(events), place, event);
  } catch (error) {
    // The Event already exists, or its namespace is terminating.
    if (!(error instanceof StatusError)) throw error;
  }
}
