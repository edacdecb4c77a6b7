import {
  failures,
  fieldError,
  type KubeObject,
  type ManagedFieldsEntry,
  requestBudget,
  sameJson,
  sharedTurns,
} from "@keelson/apimachinery";
import { stringsAt, valueAt } from "@keelson/base";
import { admitToQuotas } from "../quota/charge.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import type { RegistryContext, WriteOptions } from "../resources/registry-context.ts";
import { type ServedResource, subjectOf } from "../resources/served-resource.ts";
import { encodeObject, type StoredObject } from "../storage/stored-object.ts";
import { admissionOptions, admitted } from "./admit.ts";
import { applyDefaults, check, managedBy, systemMetadata, writableMetadata } from "./conform.ts";
import { decodeObject } from "./decode-object.ts";
import { decodeToSchema } from "./decode-to-schema.ts";
import { ownersAfterUpdate } from "./field-owners.ts";
import { withNextGeneration } from "./generation.ts";
import type { ModifiedPart } from "./modified-part.ts";
import { asStored, isPresentable, needsConversion, prepare, present, toStored } from "./present.ts";
import { getObject } from "./read.ts";
import { strategyFor } from "./strategy.ts";
import { isTakenMeanwhile } from "./taken-meanwhile.ts";
import { WriterOfObject } from "./writer-of-object.ts";

/** Maximum number of attempts on conflicts with concurrent writes. The work budget may end the write earlier. */
const maxAttempts = 100;

/**
 * Replaces an object with the result of `change`. All PUT and PATCH requests use this function. `resourceVersion` and `uid` of
 * the result are preconditions. An unchanged result is not written. An object under deletion is removed when it has no finalizers
 * left. Resolves when the write is durable.
 * @throws StatusError 400, 404, 409, 422
 */
export function modifyObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  part: ModifiedPart,
  change: (current: KubeObject) => unknown,
  options: WriteOptions = {},
): Promise<StoredObject> {
  const propose = async (current: KubeObject) => ({ body: await change(current) });
  return replaceObject(context, resource, key, part, propose, options);
}

/** Proposed state of an object. */
export interface Proposal {
  readonly body: unknown;
  /** Managed fields after the write. Default: computed from the changed fields. */
  readonly managers?: readonly ManagedFieldsEntry[];
}

/**
 * Replaces an object like `modifyObject`. The proposal may contain the managed fields.
 * @throws StatusError 400, 404, 409, 422
 */
export async function replaceObject(
  context: RegistryContext,
  resource: ServedResource,
  key: string,
  part: ModifiedPart,
  propose: (current: KubeObject) => Promise<Proposal>,
  given: WriteOptions = {},
): Promise<StoredObject> {
  // Controllers have no request budget. A new budget ensures that their writes of large objects also yield to other requests.
  const { budget = requestBudget() } = given;
  const options = { ...given, budget };
  using writer = new WriterOfObject(context.store, `${resource.bucket}/${key}`);
  for (let attempt = 1; ; attempt++) {
    await writer.turn(attempt);
    const stored = getObject(context, resource, key);
    if (!isPresentable(resource, stored)) await prepare(context, resource, [stored]);
    budget.spend(0, stored.bytes.length);
    await sharedTurns.next(context.store, budget);
    const current = present(resource, stored).object;
    await sharedTurns.next(context.store, budget);
    const proposal = await propose(current);
    await sharedTurns.next(context.store, budget);
    const wanted = await proposed(context, resource, part, current, proposal, options);
    await sharedTurns.next(context.store, budget);
    const request: AdmissionRequest & { readonly object: KubeObject } = {
      operation: "UPDATE",
      resource,
      namespace: current.metadata.namespace,
      name: current.metadata.name,
      object: wanted,
      oldObject: current,
      ...admissionOptions(options),
    };
    const concerned = !options.admitted && context.admission.handles(request);
    if (concerned) writer.leave();
    const admittedObject = concerned ? await admitted(context, request) : wanted;
    if (!concerned) await check(context, resource, wanted, current, { ...options, subresource: part });
    await sharedTurns.next(context.store, budget);
    checkFinalizers(resource, current, admittedObject);
    const next = withNextGeneration(resource, current, admittedObject);
    if (isUnchanged(current, next)) {
      await context.store.settled();
      return present(resource, stored);
    }
    await sharedTurns.next(context.store, budget);
    const finished = isFinished(next);
    const body =
      needsConversion(resource) && !options.dryRun
        ? await toStored(context, resource, next)
        : asStored(resource, next);
    const charge = finished ? undefined : admitToQuotas(context, { ...request, object: next });
    if (options.dryRun) return encodeObject(key, stored.revision, next);
    if (!finished && isTakenMeanwhile(context, resource, key, next, current)) {
      if (attempt < maxAttempts) continue;
      throw failures.modified(subjectOf(resource), current.metadata.name);
    }
    const outcome = finished
      ? context.store.remove(resource.bucket, key, stored.revision)
      : context.store.put(resource.bucket, key, stored.revision, body);
    if (outcome.kind === "written") {
      charge?.();
      // The next writer can start, because from now on the current writer only waits for the disk.
      writer.leave();
      await outcome.durable;
      // The response for a removed object contains the state of this write.
      if (finished) return encodeObject(key, outcome.stored.revision, next);
      await prepare(context, resource, [outcome.stored]);
      return present(resource, outcome.stored);
    }
    if (attempt === maxAttempts) throw failures.modified(subjectOf(resource), current.metadata.name);
  }
}

/** Decodes and defaults the proposed object and computes its managed fields. Validation happens later. */
async function proposed(
  context: RegistryContext,
  resource: ServedResource,
  part: ModifiedPart,
  current: KubeObject,
  { body, managers }: Proposal,
  options: WriteOptions,
): Promise<KubeObject> {
  const sent = valueAt(body, "metadata", "managedFields");
  const fit = decodeToSchema(resource, decodeObject(resource, body), options, managers !== undefined);
  const isPatch = managers === undefined && options.given?.kind === "PatchOptions";
  checkPreconditions(resource, current, fit, part, isPatch);
  await sharedTurns.next(context.store, options.budget);
  const wanted = applyDefaults(context, resource, merged(resource, current, fit, part), current);
  await sharedTurns.next(context.store, options.budget);
  return managedBy(
    wanted,
    managers ?? (await ownersAfterUpdate(context, resource, part, current, wanted, sent, options)),
  );
}

/** True if nothing changed except timestamps of managed fields. */
function isUnchanged(current: KubeObject, next: KubeObject): boolean {
  const before = current.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length !== after.length || !sameJson(comparable(current), comparable(next))) return false;
  const timeless = ({ time: _, ...entry }: ManagedFieldsEntry) => entry;
  return before === after || sameJson(before.map(timeless), after.map(timeless));
}

function comparable(object: KubeObject): Readonly<Record<string, unknown>> {
  const { managedFields: _managers, resourceVersion: _revision, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function checkPreconditions(
  resource: ServedResource,
  { metadata: current }: KubeObject,
  { metadata }: KubeObject,
  part: ModifiedPart,
  isPatch: boolean,
): void {
  const subject = subjectOf(resource);
  if (metadata.name && metadata.name !== current.name) {
    throw failures.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${current.name})`,
    );
  }
  if (resource.type.namespaced && metadata.namespace && metadata.namespace !== current.namespace) {
    throw failures.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  if (metadata.uid && metadata.uid !== current.uid && isPatch) {
    throw failures.invalid(resource.type, current.name, [
      fieldError.invalid("metadata.uid", metadata.uid, "field is immutable"),
    ]);
  }
  if (metadata.uid && metadata.uid !== current.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.uid}`;
    throw failures.conflict(subject, current.name, why);
  }
  if (!metadata.resourceVersion) {
    const guarded = resource.custom !== undefined || strategyFor(resource.bucket).requiresResourceVersion;
    if (!guarded || part === "finalize") return;
    // Unlike other errors, this error contains the plural name of the resource instead of the kind in its details.
    throw failures.invalid({ group: resource.type.group, kind: resource.type.plural }, current.name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  }
  if (metadata.resourceVersion !== current.resourceVersion) throw failures.modified(subject, current.name);
}

/** Returns the metadata of a built-in object after a status write. A status write can also change the metadata of most kinds. */
function metadataWithStatus(
  resource: ServedResource,
  current: Omit<KubeObject["metadata"], "resourceVersion">,
  wanted: KubeObject["metadata"],
): Omit<KubeObject["metadata"], "resourceVersion"> {
  const { keptWithStatus } = strategyFor(resource.bucket);
  if (keptWithStatus === "metadata") return current;
  const written = { ...systemMetadata(current), ...writableMetadata(wanted) };
  if (keptWithStatus === undefined) return written;
  const { [keptWithStatus]: _sent, ...rest } = written;
  const kept = current[keptWithStatus];
  return { ...rest, name: current.name, ...(kept === undefined ? {} : { [keptWithStatus]: kept }) };
}

/** Returns the current object with the modified part replaced. */
function merged(
  resource: ServedResource,
  current: KubeObject,
  body: KubeObject,
  part: ModifiedPart,
): KubeObject {
  const { resourceVersion: _, ...metadata } = current.metadata;
  if (part === "status") {
    const { status: _old, ...rest } = current;
    const written = resource.custom ? metadata : metadataWithStatus(resource, metadata, body.metadata);
    return withStatus(
      { ...rest, apiVersion: current.apiVersion, kind: current.kind, metadata: written },
      body.status,
    );
  }
  if (part === "finalize") {
    const writable = { ...systemMetadata(metadata), ...writableMetadata(body.metadata) };
    return withStatus({ ...body, metadata: writable }, current.status);
  }
  const { status, ...rest } = strategyFor(resource.bucket).specByFinalize
    ? { ...body, spec: current.spec }
    : body;
  const keepsStatus = part !== "whole" && resource.type.subresources.includes("status");
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

/** True if an object under deletion has no finalizers or grace period left. */
export function isFinished(object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds > 0 || finalizers.length > 0) return false;
  return !(
    object.apiVersion === "v1" &&
    object.kind === "Namespace" &&
    stringsAt(object, "spec", "finalizers").length > 0
  );
}
