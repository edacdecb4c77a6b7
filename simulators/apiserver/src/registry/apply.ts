import { failures, type KubeObject, StatusError, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, valueAt } from "@keelson/base";
import type { RegistryContext, WriteOptions } from "../resources/registry-context.ts";
import {
  apiVersionOf,
  keyOf,
  parseApiVersion,
  type ServedResource,
  subjectOf,
} from "../resources/served-resource.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { createObject } from "./create.ts";
import { decodeObject } from "./decode-object.ts";
import { applied, appliedProblems } from "./field-owners.ts";
import type { ModifiedPart } from "./modified-part.ts";
import { replaceObject } from "./modify.ts";

export interface AppliedObject {
  readonly stored: StoredObject;
  /** True if the apply created the object. */
  readonly created: boolean;
}

/** Maximum number of attempts. An attempt fails if the object is concurrently created or deleted. */
const maxAttempts = 5;

/**
 * Applies `body` to the object `name` (server-side apply). Creates a missing object. Resolves when the write is durable.
 * @throws StatusError 400, 404, 409 (conflicts with other managers), 422, 500 for fields missing from the schema
 */
export async function applyToObject(
  context: RegistryContext,
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
  part: ModifiedPart,
  body: unknown,
  options: WriteOptions,
): Promise<AppliedObject> {
  const wanted = configuration(resource, namespace, name, body);
  return applyConfiguration(context, resource, namespace, name, part, wanted, options);
}

/** Applies a decoded apply configuration, for example one derived from a Scale. */
export async function applyConfiguration(
  context: RegistryContext,
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
  part: ModifiedPart,
  config: KubeObject,
  given: WriteOptions,
): Promise<AppliedObject> {
  const options = strictly(given);
  const key = keyOf(namespace, name);
  for (let attempt = 1; ; attempt++) {
    const exists = context.store.get(resource.bucket, key) !== undefined;
    try {
      if (exists) {
        const propose = async (live: KubeObject) => {
          const { object, managers } = await applied(context, resource, part, live, config, options);
          return { body: withPreconditions(object, config), managers };
        };
        return {
          stored: await replaceObject(context, resource, key, part, propose, options),
          created: false,
        };
      }
      if (part !== "main" || options.subresource) throw failures.notFound(subjectOf(resource), name);
      await options.authorizeCreate?.();
      refuseUid(resource, config);
      const { object, managers } = await applied(context, resource, part, undefined, config, options);
      return {
        stored: await createObject(context, resource, namespace, object, options, managers),
        created: true,
      };
    } catch (error) {
      if (attempt === maxAttempts || !isOvertaken(error, exists)) throw error;
    }
  }
}

/**
 * Throws the errors of strict decoding if `fieldValidation` is `Strict`. The message has kube-apiserver's format for an apply.
 * Without `Strict` or `Ignore`, the errors become warnings.
 * @throws StatusError 400
 */
function strictly({ strictErrors = [], ...options }: WriteOptions): WriteOptions {
  if (strictErrors.length === 0 || options.fieldValidation === "Ignore") return options;
  if (options.fieldValidation === "Strict") {
    const text = `error converting YAML to JSON: ${strictErrors.join(", ")}`;
    throw failures.badRequest(`error strict decoding YAML: ${text}`);
  }
  // Skips the first line of an error, which is only a heading.
  for (const line of strictErrors.flatMap((text) => text.split("\n").slice(1))) options.warn?.(line.trim());
  return options;
}

/** Decodes the body as an apply configuration. @throws StatusError 400 */
function configuration(
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
  body: unknown,
): KubeObject {
  const { type } = resource;
  const [apiVersion, kind] = [scalarStringAt(body, "apiVersion"), scalarStringAt(body, "kind")];
  if (!isPlainObject(body) || apiVersion !== apiVersionOf(type) || kind !== type.kind) {
    const { group, version } = parseApiVersion(apiVersion);
    throw failures.badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`);
  }
  if (valueAt(body, "metadata", "managedFields") !== undefined) {
    throw failures.badRequest("metadata.managedFields must be nil");
  }
  const problems = appliedProblems(resource, body);
  if (problems.length > 0) throw unfit(resource, body, problems);
  const object = decodeObject(resource, body);
  const { namespace: own, ...metadata } = object.metadata;
  if (metadata.name && metadata.name !== name) {
    throw failures.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  // The namespace in the body of a cluster-scoped resource is not checked.
  if (namespace !== undefined && own && own !== namespace) {
    throw failures.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return {
    ...object,
    apiVersion,
    kind,
    metadata: { ...metadata, name, ...(namespace && own ? { namespace } : {}) },
  };
}

function unfit({ type }: ServedResource, body: unknown, problems: readonly string[]): StatusError {
  const list =
    problems.length === 1 ? problems[0] : ["errors:", ...problems.map((each) => `  ${each}`)].join("\n");
  const [namespace, name] = [
    scalarStringAt(body, "metadata", "namespace"),
    scalarStringAt(body, "metadata", "name"),
  ];
  const of = `${namespace}/${name}; ${type.group}/${type.version}, Kind=${type.kind}`;
  return new StatusError(500, "", `failed to create typed patch object (${of}): ${list}`);
}

/**
 * Adds the configuration's preconditions to the merged object. Otherwise the merged object would have the live object's
 * `resourceVersion` and `uid`.
 */
function withPreconditions(object: KubeObject, { metadata }: KubeObject): KubeObject {
  const { resourceVersion, uid } = metadata;
  return {
    ...object,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      ...object.metadata,
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(uid ? { uid } : {}),
    },
  };
}

function refuseUid(resource: ServedResource, { metadata: { name, uid } }: KubeObject): void {
  if (!uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw failures.conflict(subjectOf(resource), name, why);
}

/** True if the object was created or deleted after the lookup. */
function isOvertaken(error: unknown, existed: boolean): boolean {
  if (!(error instanceof StatusError)) return false;
  return existed ? error.code === 404 && error.reason === "NotFound" : error.reason === "AlreadyExists";
}
