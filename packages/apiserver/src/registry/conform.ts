import { withDefaults } from "../custom/defaults.ts";
import { prune } from "../custom/prune.ts";
import { validate } from "../custom/validate.ts";
import { recordAt } from "../json/access.ts";
import type { KubeObject, ObjectMeta } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";
import { rulesOf } from "./kind-rules.ts";
import { validateMetadata } from "./metadata-rules.ts";
import { type RegistryContext, timestamp, type WriteOptions } from "./registry-context.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * An object as it may be stored: unknown fields pruned, defaults filled in, and every rule of its kind kept.
 * @throws StatusError 400 for unknown fields that `fieldValidation: Strict` refuses, 422 for broken rules.
 */
export function conform(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  current: KubeObject | undefined,
  options: WriteOptions,
): KubeObject {
  const rules = rulesOf(resource.bucket);
  const known = resource.custom ? pruned(resource.custom.schema, object, options) : object;
  const complete =
    rules.complete?.(known, current, { directory: context.directory, now: timestamp(context.clock) }) ??
    known;
  const causes = [
    ...validateMetadata(resource.bucket, { ...complete.metadata }),
    ...(resource.custom ? validate(resource.custom.schema, withoutMetadata(complete)) : []),
    ...(rules.validate?.(complete, current) ?? []),
  ];
  if (causes.length > 0) throw failures.invalid(resource.type, complete.metadata.name, causes);
  return complete;
}

function pruned(
  schema: Parameters<typeof prune>[0],
  object: KubeObject,
  { fieldValidation = "Warn", warn }: WriteOptions,
): KubeObject {
  const { value, removed } = prune(schema, object);
  if (removed.length > 0 && fieldValidation === "Strict") {
    const errors = removed.map((path) => `unknown field "${path}"`).join(", ");
    throw failures.badRequest(
      `${object.kind} in version "${object.apiVersion.replace(/^.*\//, "")}" cannot be handled as a ${object.kind}: strict decoding error: ${errors}`,
    );
  }
  if (fieldValidation === "Warn") for (const path of removed) warn?.(`unknown field "${path}"`);
  const { apiVersion, kind, metadata } = object;
  return { ...recordAt(withDefaults(schema, value)), apiVersion, kind, metadata };
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
