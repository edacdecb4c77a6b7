import type { AggregatedResource, KubeObject, ResourceCall } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { changeObject } from "../optimistic-write.ts";
import { AllowedRegistries } from "./allowed-registries.ts";
import { parseImageReference } from "./image-reference.ts";
import { imageApiVersion, imageGroup, imageStreams, named } from "./image-resources.ts";
import type { SourceResponse } from "./image-sources.ts";
import { importImage } from "./import-images.ts";
import { withImports } from "./imported-tags.ts";
import { internalRegistry } from "./internal-registry.ts";
import { specTag } from "./tag-history.ts";

const subject = named("imagestreams");

interface Imported {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly tag: string;
  readonly response: SourceResponse;
}

/**
 * ImageStreamImports resource. A create request looks up images in registries and optionally imports them into a stream. The
 * created ImageStreamImport is not stored.
 */
export function imageStreamImportResource(context: ApiContext): AggregatedResource {
  return {
    group: imageGroup,
    version: "v1",
    kind: "ImageStreamImport",
    plural: "imagestreamimports",
    namespaced: true,
    handlers: { create: (call, body) => runImport(context, call, body) },
  };
}

/** Runs an import and returns one result per image. @throws StatusError 409, 422 */
async function runImport(context: ApiContext, call: ResourceCall, body: KubeObject): Promise<KubeObject> {
  const { signal } = call;
  check(body);
  await checkRegistries(context, call, body);
  const found = await Promise.all(
    listAt(body, "spec", "images").map(async (each): Promise<Imported> => {
      const from = stringAt(each, "from", "name") ?? "";
      return {
        spec: objectAt(each),
        from,
        tag: stringAt(each, "to", "name") || parseImageReference(from)?.tag || "latest",
        response: await importImage(context, from, signal),
      };
    }),
  );
  const repository = objectAt(body, "spec", "repository");
  const from = stringAt(repository, "from", "name");
  const whole: Imported | undefined = from
    ? { spec: repository, from, tag: "latest", response: await importImage(context, from, signal) }
    : undefined;
  const wanted = objectAt(body, "spec").import === true && !call.dryRun;
  const stream = wanted
    ? await importInto(context, call, body, whole ? [...found, whole] : found)
    : undefined;
  return {
    ...body,
    apiVersion: imageApiVersion,
    kind: "ImageStreamImport",
    metadata: stream
      ? { ...stream.metadata }
      : { ...body.metadata, creationTimestamp: timestamp(context.clock.now()) },
    status: {
      ...(stream ? { import: stream } : {}),
      ...(whole ? { repository: { status: statusOf(whole.response), images: [resultOf(whole)] } } : {}),
      ...(found.length > 0 ? { images: found.map(resultOf) } : {}),
    },
  };
}

function check(body: KubeObject): void {
  const { name } = body.metadata;
  const invalid = (field: string, why: string) =>
    failures.invalid("ImageStreamImport", imageGroup, name, field, why);
  if (!name) throw invalid("metadata.name", "Required value");
  const sources = [
    ...listAt(body, "spec", "images").map((each, index) => [`spec.images[${index}]`, each] as const),
    ...(objectAt(body, "spec").repository
      ? [["spec.repository", objectAt(body, "spec").repository] as const]
      : []),
  ];
  for (const [path, source] of sources) {
    if (stringAt(source, "from", "kind") !== "DockerImage") {
      throw invalid(`${path}.from.kind`, "Invalid value: only DockerImage is supported");
    }
    if (!stringAt(source, "from", "name")) throw invalid(`${path}.from.name`, "Required value");
  }
  if (sources.length === 0) {
    throw invalid("spec.images", "Required value: specify spec.repository or spec.images");
  }
}

/**
 * Checks images against the allowed registries. Skips the check if the caller may create Images or ImageStreamMappings.
 * @throws StatusError 422
 */
async function checkRegistries(context: ApiContext, call: ResourceCall, body: KubeObject): Promise<void> {
  const mayCreate = (resource: string) => call.allows({ verb: "create", group: imageGroup, resource });
  if (mayCreate("images") || mayCreate("imagestreammapping")) return;
  const allowed = await AllowedRegistries.of(context, internalRegistry);
  const sources = [
    ["spec.repository", objectAt(body, "spec", "repository")] as const,
    ...listAt(body, "spec", "images").map((each, index) => [`spec.images[${index}]`, each] as const),
  ];
  for (const [path, source] of sources) {
    const reference = parseImageReference(stringAt(source, "from", "name") ?? "");
    const refusal = reference && allowed.refusal(reference, false);
    if (!refusal) continue;
    const host = reference.registry.includes(":") ? reference.registry : `${reference.registry}:443`;
    const why = `Forbidden: importing images from registry ${JSON.stringify(host)} is forbidden: ${refusal}`;
    const { name } = body.metadata;
    throw failures.invalid("ImageStreamImport", imageGroup, name, `${path}.from.name`, why);
  }
}

/** Writes tags and images to the stream. Creates the stream if it does not exist. */
async function importInto(
  { client, clock }: ApiContext,
  { namespace }: ResourceCall,
  body: KubeObject,
  imported: readonly Imported[],
): Promise<KubeObject> {
  const { name, resourceVersion, uid } = body.metadata;
  const key = { namespace, name };
  const present = await client.find(imageStreams, key);
  if (!present && resourceVersion) throw failures.notFound(subject, name);
  if (
    (resourceVersion && present?.metadata.resourceVersion !== resourceVersion) ||
    (uid && present?.metadata.uid !== uid)
  ) {
    throw failures.conflict(
      subject,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  if (!present) {
    await client.create(imageStreams, {
      apiVersion: imageApiVersion,
      kind: "ImageStream",
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      spec: {},
    });
  }
  const now = timestamp(clock.now());
  return changeObject(client, imageStreams, key, "whole", (stream) =>
    withImports(
      stream,
      imported.map((each) => ({ tag: specTagOf(each, specTag(stream, each.tag)), response: each.response })),
      now,
    ),
  );
}

/** Returns the `spec.tags` entry for an imported tag. Keeps other fields of the stream's previous entry. */
function specTagOf(
  { spec, from, tag }: Imported,
  before: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  return {
    ...before,
    name: tag,
    from: { kind: "DockerImage", name: from },
    importPolicy: { ...objectAt(before, "importPolicy"), ...objectAt(spec, "importPolicy") },
    referencePolicy: { ...objectAt(before, "referencePolicy"), ...objectAt(spec, "referencePolicy") },
  };
}

function statusOf(response: SourceResponse): object {
  if (response.kind === "image") return { metadata: {}, status: "Success" };
  const { code, reason, message } = response;
  return { metadata: {}, status: "Failure", message, reason, code };
}

function resultOf({ response, tag }: Imported): object {
  if (response.kind === "failure") return { status: statusOf(response), tag };
  const { image, dockerImageReference } = response;
  return { status: statusOf(response), image: { ...image, dockerImageReference }, tag };
}
