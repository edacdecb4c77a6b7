import { isPlainObject } from "@keelson/base";
import type { KubeObject } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";
import { apiVersionOf, type ServedResource } from "./served-resource.ts";

/** The members of metadata that are text, and those that are maps of text. */
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
 * A request body as an object of the resource: `apiVersion` and `kind` are filled in or must fit, metadata has the
 * types of ObjectMeta, and `managedFields` is left out.
 * @throws StatusError 400
 */
export function decodeObject(resource: ServedResource, body: unknown): KubeObject {
  if (!isPlainObject(body)) throw failures.badRequest("the body of the request is not an object");
  const { type } = resource;
  const expected = apiVersionOf(type);
  const apiVersion = body.apiVersion || expected;
  const kind = body.kind || type.kind;
  if (apiVersion !== expected || kind !== type.kind) {
    const [what, given, wanted] =
      apiVersion === expected ? ["kind", kind, type.kind] : ["API version", apiVersion, expected];
    throw failures.badRequest(
      `${String(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${type.kind}: ` +
        `the ${what} in the data (${String(given)}) does not match the expected ${what} (${wanted})`,
    );
  }
  const metadata = decodeMetadata(body.metadata ?? {}, type.kind, expected);
  const rest = Object.entries(body).filter(([name]) => !["apiVersion", "kind", "metadata"].includes(name));
  return { apiVersion: expected, kind: type.kind, metadata, ...Object.fromEntries(rest) };
}

function decodeMetadata(metadata: unknown, kind: string, apiVersion: string): KubeObject["metadata"] {
  const wrong = (field: string, wanted: string) =>
    failures.badRequest(
      `${kind} in version ${JSON.stringify(apiVersion.slice(apiVersion.indexOf("/") + 1))} cannot be handled as a ` +
        `${kind}: json: cannot unmarshal into Go struct field ObjectMeta.${field} of type ${wanted}`,
    );
  if (!isPlainObject(metadata)) throw wrong("metadata", "v1.ObjectMeta");
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || name === "managedFields" || name === "selfLink") continue;
    if (texts.includes(name) && typeof value !== "string") throw wrong(`metadata.${name}`, "string");
    if (maps.includes(name) && !isTextMap(value)) throw wrong(`metadata.${name}`, "string");
    if (lists.includes(name) && !Array.isArray(value)) throw wrong(`metadata.${name}`, "list");
    members.push([name, value]);
  }
  return { name: "", ...Object.fromEntries(members) };
}

function isTextMap(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every((each) => typeof each === "string");
}
