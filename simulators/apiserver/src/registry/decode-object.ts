import { failures, fieldError, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, objectAt } from "@keelson/base";
import { packageOf, typeOf } from "@keelson/kinds";
import { apiVersionOf, parseApiVersion, type ServedResource } from "../resources/served-resource.ts";

/** Metadata fields by the type of their values: strings, maps of strings, and lists. */
const texts = [
  "name",
  "namespace",
  "generateName",
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
];
const maps = ["labels", "annotations"];
const lists = ["finalizers", "ownerReferences"];

/**
 * Decodes a request body as an object of the resource. `apiVersion` and `kind` are optional. The metadata is decoded as
 * ObjectMeta. `managedFields` is removed.
 * @throws StatusError 400, 422 for a custom resource of a different kind
 */
export function decodeObject(resource: ServedResource, body: unknown): KubeObject {
  const { type } = resource;
  // Go decodes null as an empty object of the built-in type.
  if (body === null && type.origin === "builtin") return decodeObject(resource, {});
  if (!isPlainObject(body)) throw failures.badRequest("the body of the request is not an object");
  const expected = apiVersionOf(type);
  const apiVersion = body.apiVersion || expected;
  const kind = body.kind || type.kind;
  if (resource.custom && apiVersion === expected && kind !== type.kind) {
    // kube-apiserver detects a wrong kind of a custom resource only during validation.
    const subject = { group: type.group, kind: String(kind) };
    throw failures.invalid(subject, scalarStringAt(body, "metadata", "name"), [
      fieldError.invalid("kind", kind, `must be ${type.kind}`),
    ]);
  }
  if (apiVersion !== expected || kind !== type.kind) {
    throw failures.badRequest(
      `${String(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${type.kind}: ` +
        mismatch(resource, String(apiVersion), String(kind)),
    );
  }
  const metadata = decodeMetadata(body.metadata ?? {}, type.kind, expected);
  const rest = Object.entries(body).filter(([name]) => !["apiVersion", "kind", "metadata"].includes(name));
  return { apiVersion: expected, kind: type.kind, metadata, ...Object.fromEntries(rest) };
}

/**
 * Returns the error message for an object of a different kind or version. kube-apiserver uses different messages for built-in
 * types and custom resources.
 */
function mismatch({ type }: ServedResource, apiVersion: string, kind: string): string {
  const expected = apiVersionOf(type);
  if (type.origin === "custom") {
    return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
  }
  const { group, version } = parseApiVersion(apiVersion);
  const typed = typeOf({ group, version, kind }) !== undefined;
  return typed
    ? `converting (${version}.${kind}) to (${packageOf(type.group)}.${type.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
}

function decodeMetadata(metadata: unknown, kind: string, apiVersion: string): KubeObject["metadata"] {
  const wrong = (value: unknown, field: string, wanted: string) =>
    failures.badRequest(
      `${kind} in version ${JSON.stringify(apiVersion.slice(apiVersion.indexOf("/") + 1))} cannot be handled as a ` +
        `${kind}: json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ObjectMeta.${field} of type ${wanted}`,
    );
  if (!isPlainObject(metadata)) throw wrong(metadata, "metadata", "v1.ObjectMeta");
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || name === "managedFields" || name === "selfLink") continue;
    if (texts.includes(name) && typeof value !== "string") throw wrong(value, `metadata.${name}`, "string");
    if (maps.includes(name) && !isPlainObject(value)) {
      throw wrong(value, `metadata.${name}`, "map[string]string");
    }
    if (maps.includes(name)) {
      const map = objectAt(value);
      for (const key in map) {
        if (typeof map[key] !== "string" && map[key] !== null) {
          throw wrong(map[key], `metadata.${name}`, "string");
        }
      }
    }
    if (lists.includes(name) && !Array.isArray(value)) throw wrong(value, `metadata.${name}`, "list");
    members.push([name, value]);
  }
  return { name: "", ...Object.fromEntries(members) };
}

/** Returns the name of a value's type in Go's JSON decoder. */
function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
