import { validate } from "../custom/validate.ts";
import type { KubeObject, ObjectMeta } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";
import { rulesOf } from "./kind-rules.ts";
import { validateMetadata } from "./metadata-rules.ts";
import { type RegistryContext, timestamp } from "./registry-context.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * An object as it may be stored: completed with what its kind adds, and keeping every rule of its kind.
 * @throws StatusError 422
 */
export function conform(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  current: KubeObject | undefined,
): KubeObject {
  const rules = rulesOf(resource.bucket);
  const complete = rules.complete?.(object, current, { ...context, now: timestamp(context.clock) }) ?? object;
  const causes = [
    ...validateMetadata(resource.bucket, { ...complete.metadata }),
    ...(resource.custom ? validate(resource.custom.schema, withoutMetadata(complete)) : []),
    ...(rules.validate?.(complete, current) ?? []),
  ];
  if (causes.length > 0) throw failures.invalid(resource.type, complete.metadata.name, causes);
  return complete;
}

/** Metadata has rules of its own: a schema may only narrow its name. */
function withoutMetadata(object: KubeObject): Readonly<Record<string, unknown>> {
  return { ...object, metadata: { name: object.metadata.name } };
}

/** The members of metadata that writers decide, without empty ones. */
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
]);

/** The members of metadata that only the server decides. */
export function systemMetadata(metadata: ObjectMeta): ObjectMeta {
  const members = Object.entries(metadata).filter(([name]) => !writableMembers.has(name));
  return { ...Object.fromEntries(members), name: metadata.name };
}
