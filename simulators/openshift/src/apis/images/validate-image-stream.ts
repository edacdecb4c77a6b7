import { isDeepStrictEqual } from "node:util";
import { type KubeObject, type StatusCause, StatusError } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { AllowedRegistries, repositoryOf } from "./allowed-registries.ts";
import { parseImageReference } from "./image-reference.ts";
import { imageGroup, imageStreams } from "./image-resources.ts";
import { internalRegistry } from "./internal-registry.ts";
import { specTag } from "./tag-history.ts";

const insecureAnnotation = "openshift.io/image.insecureRepository";

/**
 * Validates the references of an ImageStream. The images' registries must be allowed, and referenced streams must exist.
 * Repositories and stream references in the previous version of the ImageStream remain allowed (openshift/openshift-apiserver,
 * validation of ImageStreams).
 * @throws StatusError 422
 */
export async function validateImageStream(
  context: ApiContext,
  stream: KubeObject,
  before: KubeObject | undefined,
  namespace: string,
): Promise<void> {
  const allowed = await AllowedRegistries.of(context, internalRegistry);
  const known = new Set(namesIn(before).map(repositoryOf));
  const insecureStream = stream.metadata.annotations?.[insecureAnnotation] === "true";
  const causes: StatusCause[] = [];
  const admit = (field: string, text: string, insecure: boolean) => {
    const reference = parseImageReference(text);
    if (!reference) {
      const message = `Invalid value: ${JSON.stringify(text)}: invalid reference format`;
      causes.push({ reason: "FieldValueInvalid", message, field });
      return;
    }
    if (known.has(repositoryOf(text))) return;
    const refusal = allowed.refusal(reference, insecure || insecureStream);
    if (refusal) causes.push({ reason: "FieldValueForbidden", message: `Forbidden: ${refusal}`, field });
  };
  const repository = stringAt(stream, "spec", "dockerImageRepository");
  if (repository) admit("spec.dockerImageRepository", repository, false);
  for (const tag of listAt(stream, "spec", "tags")) {
    const name = stringAt(tag, "name") ?? "";
    const field = `spec.tags[${name}].from.name`;
    const from = stringAt(tag, "from", "name") ?? "";
    const kind = stringAt(tag, "from", "kind");
    if (valueAt(tag, "from") === undefined) continue;
    if (from === "") causes.push({ reason: "FieldValueRequired", message: "Required value", field });
    else if (kind === "DockerImage") admit(field, from, valueAt(tag, "importPolicy", "insecure") === true);
    else if (kind === "ImageStreamTag" && !isUnchanged(tag, specTag(before, name))) {
      const other = otherStream(tag, stream.metadata.name, namespace);
      if (other && !(await context.client.find(imageStreams, other)))
        causes.push({
          reason: "FieldValueNotFound",
          message: `Not found: ${JSON.stringify(from)}`,
          field,
        });
    }
  }
  if (causes.length > 0) throw invalidStream(stream.metadata.name, causes);
}

/** Returns the stream to which a tag refers. `undefined` if the tag refers to its own stream. */
export function otherStream(
  tag: unknown,
  stream: string,
  namespace: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [first = "", second] = (stringAt(tag, "from", "name") ?? "").split(":");
  const place = {
    namespace: stringAt(tag, "from", "namespace") || namespace,
    name: second === undefined ? stream : first,
  };
  return place.namespace === namespace && place.name === stream ? undefined : place;
}

function isUnchanged(tag: unknown, before: unknown): boolean {
  return isDeepStrictEqual(objectAt(tag, "from"), objectAt(before, "from"));
}

/** Returns the names of all images in a stream's spec and history. */
function namesIn(stream: KubeObject | undefined): readonly string[] {
  const history = listAt(stream, "status", "tags").flatMap((tag) => listAt(tag, "items"));
  return [
    stringAt(stream, "spec", "dockerImageRepository") ?? "",
    ...listAt(stream, "spec", "tags").map((tag) => stringAt(tag, "from", "name") ?? ""),
    ...history.map((item) => stringAt(item, "dockerImageReference") ?? ""),
  ];
}

function invalidStream(name: string, causes: readonly StatusCause[]): StatusError {
  const kind = "ImageStream";
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new StatusError(422, "Invalid", `${kind}.${imageGroup} "${name}" is invalid: ${list}`, {
    name,
    group: imageGroup,
    kind,
    causes: [...causes],
  });
}
