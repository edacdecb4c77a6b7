import {
  failures,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  requestBudget,
} from "@keelson/apimachinery";
import { pathSegmentName } from "@keelson/kinds";
import { validateMetadata } from "@keelson/schema";
import { type RegistryContext, timestamp, type WriteOptions } from "../resources/registry-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { validateCustomFairly } from "../threads/validate-custom-task.ts";
import { validateKindFairly } from "./kind-task.ts";
import { strategyFor } from "./strategy.ts";

/** Returns an object with its kind's defaults. */
export function applyDefaults(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  current: KubeObject | undefined,
): KubeObject {
  const { applyDefaults: defaults } = strategyFor(resource.bucket);
  return defaults?.(object, current, { ...context, now: timestamp(context.clock) }) ?? object;
}

/** API groups of kinds outside kubernetes/kubernetes. Like custom resources, these kinds accept any finalizer name. */
const extensionGroups: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/**
 * Validates an object with all rules of its kind. If a write can change only a custom resource's status, only the status is
 * validated. `warn` receives errors that the stored object already had (ratcheting).
 * @throws StatusError 422, 429, WorkBudgetExceeded
 */
export async function check(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  current: KubeObject | undefined,
  { subresource, warn, budget = requestBudget() }: Pick<WriteOptions, "subresource" | "warn" | "budget">,
): Promise<void> {
  const { custom } = resource;
  const causes = [
    ...validateMetadata(
      { ...object.metadata },
      resource.aggregated?.pathNames ? pathSegmentName : strategyFor(resource.bucket).nameFault,
      resource.type.origin === "builtin" && !extensionGroups.has(resource.type.group),
    ),
    ...(custom
      ? await validateCustomFairly(context.store, custom.schema, {
          object,
          current,
          scale: custom.scale,
          statusOnly: subresource === "status",
          warn,
          budget,
        })
      : []),
    ...(await validateKindFairly(context.store, { bucket: resource.bucket, object, current }, budget)),
  ];
  if (causes.length === 0) return;
  // The error names the kind under which the object is stored. An Event of events.k8s.io is stored in the core group.
  const [group = ""] = resource.bucket.split("/");
  throw failures.invalid({ group, kind: resource.type.kind }, object.metadata.name, causes);
}

/** Returns the metadata fields that clients may set. Empty fields are omitted. */
export function writableMetadata(metadata: ObjectMeta): Partial<ObjectMeta> {
  const { generateName, labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    ...(generateName ? { generateName } : {}),
    ...(labels && Object.keys(labels).length > 0 ? { labels } : {}),
    ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(finalizers && finalizers.length > 0 ? { finalizers: [...new Set(finalizers)] } : {}),
    ...(ownerReferences && ownerReferences.length > 0 ? { ownerReferences } : {}),
  };
}

const writableMembers: ReadonlySet<string> = new Set([
  "generateName",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "managedFields",
]);

/** Returns the metadata fields that only the server sets, except `managedFields`. */
export function systemMetadata(metadata: ObjectMeta): ObjectMeta {
  const members = Object.entries(metadata).filter(([name]) => !writableMembers.has(name));
  return { ...Object.fromEntries(members), name: metadata.name };
}

/** Returns the object with `managers` as its managed fields. */
export function managedBy(object: KubeObject, managers: readonly ManagedFieldsEntry[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return {
    ...object,
    // The properties are listed explicitly, because a spread of an object with an index signature loses their types.
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: managers.length > 0 ? { ...metadata, managedFields: managers } : metadata,
  };
}
