import { isDeepStrictEqual } from "node:util";
import { textsAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { fieldError } from "../status/field-error.ts";
import { failures } from "../status/status-error.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { conform, systemMetadata, writableMetadata } from "./conform.ts";
import { decodeObject } from "./decode-object.ts";
import { fitObject } from "./fit-object.ts";
import { rulesOf } from "./kind-rules.ts";
import { present } from "./present.ts";
import { getObject } from "./read.ts";
import type { RegistryContext, WriteOptions } from "./registry-context.ts";
import { type ServedResource, subjectOf } from "./served-resource.ts";

/** What a write may change: everything but the status, only the status, or only the namespace's finalizers. */
export type ModifiedPart = "main" | "status" | "finalize";

/**
 * Replaces an object by what `change` makes of it: PUT and every PATCH go through here. The `resourceVersion` and
 * `uid` in the result are preconditions. A result that changes nothing writes nothing. An object under deletion is
 * removed with its last finalizer. Resolves when the write is durable.
 * @throws StatusError 400, 404, 409, 422
 */
export async function modifyObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  part: ModifiedPart,
  change: (current: KubeObject) => unknown,
  options: WriteOptions = {},
): Promise<StoredObject> {
  const stored = getObject(context, resource, key);
  const current = present(resource, stored).object;
  const body = fitObject(resource, decodeObject(resource, change(current)), options);
  checkPreconditions(resource, current, body, part);
  const wanted = conform(context, resource, merged(resource, current, body, part), current);
  checkFinalizers(resource, current, wanted);
  const next = counted(resource, current, wanted);
  if (isDeepStrictEqual(encodeObject(key, stored.revision, next).object, current)) {
    await context.store.settled();
    return present(resource, stored);
  }
  if (options.dryRun) return encodeObject(key, stored.revision, next);
  const object = { ...next, apiVersion: resource.storageApiVersion };
  const outcome = isFinished(next)
    ? context.store.remove(resource.bucket, key, stored.revision)
    : context.store.put(resource.bucket, key, stored.revision, object);
  if (outcome.kind === "conflict") throw failures.modified(subjectOf(resource), current.metadata.name);
  await outcome.durable;
  return present(resource, outcome.stored);
}

function checkPreconditions(
  resource: ServedResource,
  { metadata: current }: KubeObject,
  { metadata }: KubeObject,
  part: ModifiedPart,
): void {
  const subject = subjectOf(resource);
  if (metadata.name && metadata.name !== current.name) {
    throw failures.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${current.name})`,
    );
  }
  if (metadata.namespace && metadata.namespace !== current.namespace) {
    throw failures.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  if (metadata.uid && metadata.uid !== current.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.uid}`;
    throw failures.conflict(subject, current.name, why);
  }
  if (!metadata.resourceVersion) {
    if (!resource.custom || part !== "main") return;
    throw failures.invalid(resource.type, current.name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0x0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  }
  if (metadata.resourceVersion !== current.resourceVersion) throw failures.modified(subject, current.name);
}

/** The current object with the part replaced that the write may change. */
function merged(
  resource: ServedResource,
  current: KubeObject,
  body: KubeObject,
  part: ModifiedPart,
): KubeObject {
  const { resourceVersion: _, ...metadata } = current.metadata;
  if (part === "status") {
    const { status: _old, ...rest } = current;
    return withStatus({ ...rest, apiVersion: current.apiVersion, kind: current.kind, metadata }, body.status);
  }
  if (part === "finalize") return { ...current, metadata, spec: body.spec };
  const { status, ...rest } = rulesOf(resource.bucket).specByFinalize
    ? { ...body, spec: current.spec }
    : body;
  const keepsStatus = resource.type.subresources.includes("status");
  return withStatus(
    {
      ...rest,
      apiVersion: body.apiVersion,
      kind: body.kind,
      metadata: { ...systemMetadata(metadata), ...writableMetadata(body.metadata) },
    },
    keepsStatus ? current.status : status,
  );
}

function withStatus(object: KubeObject, status: unknown): KubeObject {
  return status === undefined ? object : { ...object, status };
}

function checkFinalizers(resource: ServedResource, current: KubeObject, wanted: KubeObject): void {
  if (!current.metadata.deletionTimestamp) return;
  const known = new Set(current.metadata.finalizers ?? []);
  const added = (wanted.metadata.finalizers ?? []).filter((each) => !known.has(each));
  if (added.length === 0) return;
  const list = added.map((each) => JSON.stringify(each)).join(", ");
  throw failures.invalid(resource.type, current.metadata.name, [
    fieldError.forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ]);
}

/** The object with its generation one higher if something changed besides metadata and status. */
function counted(resource: ServedResource, current: KubeObject, wanted: KubeObject): KubeObject {
  if (!resource.custom && !rulesOf(resource.bucket).counted) return wanted;
  const ignoresStatus = !resource.custom || resource.type.subresources.includes("status");
  if (isDeepStrictEqual(desired(current, ignoresStatus), desired(wanted, ignoresStatus))) return wanted;
  const generation = (current.metadata.generation ?? 0) + 1;
  return { ...wanted, metadata: { ...wanted.metadata, generation } };
}

function desired(object: KubeObject, ignoresStatus: boolean): Readonly<Record<string, unknown>> {
  const { metadata: _metadata, status, ...rest } = object;
  return ignoresStatus ? rest : { ...rest, status };
}

/** An object under deletion that nothing holds back any more. */
export function isFinished(object: KubeObject): boolean {
  if (!object.metadata.deletionTimestamp || (object.metadata.finalizers ?? []).length > 0) return false;
  return !(
    object.apiVersion === "v1" &&
    object.kind === "Namespace" &&
    textsAt(object, "spec", "finalizers").length > 0
  );
}
