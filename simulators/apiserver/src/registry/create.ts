import { randomInt, randomUUID } from "node:crypto";
import {
  failures,
  fieldError,
  inTurns,
  type KubeObject,
  type ManagedFieldsEntry,
  StatusError,
  sharedTurns,
} from "@keelson/apimachinery";
import { admitToQuotas } from "../quota/charge.ts";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { type RegistryContext, timestamp, type WriteOptions } from "../resources/registry-context.ts";
import { keyOf, type ServedResource, subjectOf } from "../resources/served-resource.ts";
import { StoredObject } from "../storage/stored-object.ts";
import { admissionOptions, admitted } from "./admit.ts";
import { admitToNamespace } from "./admit-to-namespace.ts";
import { applyDefaults, check, managedBy, writableMetadata } from "./conform.ts";
import { decodeObject } from "./decode-object.ts";
import { decodeToSchema } from "./decode-to-schema.ts";
import { initialManagedFields } from "./field-owners.ts";
import { firstGeneration } from "./generation.ts";
import { asStored, needsConversion, prepare, present, toStored } from "./present.ts";
import { strategyFor } from "./strategy.ts";
import { isTakenMeanwhile } from "./taken-meanwhile.ts";

const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const maxGenerateNameBase = 58;
const maxNameAttempts = 8;
const terminating = "create not allowed while custom resource definition is terminating";
/**
 * Maximum number of attempts to allocate values that only one object may have, such as node ports and cluster IPs. An attempt
 * fails only if a concurrent write allocates an equal value, so repeated failures are improbable.
 */
const maxAllocations = 64;

/**
 * Creates an object. Resolves when it is durable. `managers` are its managed fields. By default, the creator owns all fields.
 * @throws StatusError 400, 403 and 404 (namespace), 409, 422
 */
export async function createObject(
  context: RegistryContext,
  resource: ServedResource,
  namespace: string | undefined,
  body: unknown,
  options: WriteOptions = {},
  managers?: readonly ManagedFieldsEntry[],
): Promise<StoredObject> {
  const read = decodeObject(resource, body);
  if (resource.custom?.terminating) {
    const { name, generateName = "" } = read.metadata;
    throw failures.forbidden(subjectOf(resource), name || generatedName(generateName), terminating);
  }
  const sent = inNamespace(read, namespace);
  await sharedTurns.next(context.store, options.budget);
  const decoded = decodeToSchema(resource, sent, options, managers !== undefined);
  const { metadata } = decoded;
  if (metadata.resourceVersion && metadata.resourceVersion !== "0" && !options.dryRun) {
    // kube-apiserver returns this storage error without a reason.
    throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
  }
  if (!metadata.name && !metadata.generateName) {
    throw failures.invalid(resource.type, "", [
      fieldError.required("metadata.name", "name or generateName is required"),
    ]);
  }
  const called = metadata.name || metadata.generateName || "";
  admitToNamespace(context, resource, namespace, called);
  for (let attempt = 1; ; attempt++) {
    const name = metadata.name || generatedName(metadata.generateName ?? "");
    await sharedTurns.next(context.store, options.budget);
    const initialObject = toInitialObject(context, resource, decoded, name);
    await sharedTurns.next(context.store, options.budget);
    const complete = applyDefaults(context, resource, initialObject, undefined);
    await sharedTurns.next(context.store, options.budget);
    const owners =
      managers ??
      (await inTurns(
        initialManagedFields(context, resource, initialObject, complete, options),
        context.store,
        options.budget,
      ));
    const wanted = managedBy(complete, owners);
    const request: AdmissionRequest & { readonly object: KubeObject } = {
      operation: "CREATE",
      resource,
      namespace,
      name: metadata.name,
      object: wanted,
      oldObject: undefined,
      ...admissionOptions(options),
    };
    await sharedTurns.next(context.store, options.budget);
    const concerned = context.admission.handles(request);
    const object = concerned ? await admitted(context, request) : wanted;
    if (!concerned) await check(context, resource, object, undefined, options);
    await sharedTurns.next(context.store, options.budget);
    // The namespace may have been deleted after the request began.
    admitToNamespace(context, resource, namespace, called);
    const key = keyOf(namespace, name);
    const holder = context.store.get(resource.bucket, key);
    if (holder && (metadata.name || attempt >= maxNameAttempts)) {
      throw alreadyExists(resource, name, holder.object);
    }
    if (holder) continue;
    const body =
      needsConversion(resource) && !options.dryRun
        ? await toStored(context, resource, object)
        : asStored(resource, object);
    if (!options.dryRun && isTakenMeanwhile(context, resource, key, object, undefined)) {
      if (attempt < maxAllocations) continue;
      throw failures.overloaded(`the values of ${name} were allocated concurrently. Try again.`);
    }
    const charge = admitToQuotas(context, { ...request, name, object });
    if (options.dryRun) return unstored(key, context.store.head, object, metadata.resourceVersion);
    const outcome = context.store.put(resource.bucket, key, 0, body);
    if (outcome.kind === "conflict") throw failures.alreadyExists(subjectOf(resource), name);
    charge();
    await outcome.durable;
    await prepare(context, resource, [outcome.stored]);
    return present(resource, outcome.stored);
  }
}

/**
 * Returns the AlreadyExists error (409). If the existing object is being deleted, the message mentions the deletion, as in
 * kube-apiserver.
 */
function alreadyExists(resource: ServedResource, name: string, existing: KubeObject): StatusError {
  const { code, reason, message, details } = failures.alreadyExists(subjectOf(resource), name);
  const prefix = existing.metadata.deletionTimestamp ? "object is being deleted: " : "";
  return new StatusError(code, reason, prefix + message, details);
}

function inNamespace(object: KubeObject, namespace: string | undefined): KubeObject {
  const { namespace: own, ...metadata } = object.metadata;
  if (own && own !== namespace && namespace !== undefined) {
    throw failures.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return { ...object, metadata: { ...metadata, ...(namespace ? { namespace } : {}) } };
}

/** Returns the object with the server's metadata. Fields that a creator may not set are removed. */
function toInitialObject(
  context: RegistryContext,
  resource: ServedResource,
  object: KubeObject,
  name: string,
): KubeObject {
  const { namespace } = object.metadata;
  const rules = strategyFor(resource.bucket);
  const { status, ...rest } = object;
  const keepsStatus = rules.statusOnCreate || !resource.type.subresources.includes("status");
  return {
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      uid: randomUUID(),
      creationTimestamp: timestamp(context.clock),
      ...firstGeneration(resource),
      ...writableMetadata(object.metadata),
    },
    ...(keepsStatus && status !== undefined ? { status } : {}),
  };
}

/** Returns the result of a dry run: the object as it would be stored, but with the request's resource version. */
function unstored(
  key: string,
  head: number,
  object: KubeObject,
  resourceVersion: string | undefined,
): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const answered = {
    apiVersion,
    kind,
    metadata: { ...metadata, ...(resourceVersion ? { resourceVersion } : {}) },
    ...rest,
  };
  return new StoredObject(key, head, Buffer.from(JSON.stringify(answered)));
}

function generatedName(base: string): string {
  const suffix = Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
  return base.slice(0, maxGenerateNameBase) + suffix;
}
