import { Readable } from "node:stream";
import { isPlainObject, valueAt } from "@keelson/base";
import { ResumableHash } from "../copy/resumable-hash.ts";
import { errors } from "../registry/errors.ts";
import {
  formatImageReference,
  type ImageReference,
  parseImageReference,
  referenceOf,
} from "../registry/image-reference.ts";
import type { Descriptor, Manifest } from "../registry/manifest.ts";
import type { Repository } from "../registry/repository.ts";
import { fileInLayer } from "./layer-file.ts";

const path = "release-manifests/image-references";
const maxReferencesBytes = 8 * 1024 * 1024;
const maxLayerBytes = 1024 ** 3;
const maxImages = 5_000;

/**
 * Returns the images of a release. They are listed in a file in one of the last layers of the payload.
 * @throws PayloadUnusable; DigestMismatch if a layer differs from the payload's manifest
 */
export async function payloadImages(
  payload: ImageReference,
  repository: Repository,
  signal: AbortSignal,
): Promise<readonly ImageReference[]> {
  const name = formatImageReference(payload);
  const manifest = await platformManifest(
    await repository.manifest(referenceOf(payload), signal),
    repository,
    signal,
  );
  for (const layer of manifest.layers.toReversed()) {
    const content = await repository.registry.persist(
      () => readLayer(layer, repository, name, signal),
      signal,
    );
    if (content) return imagesIn(content.toString("utf8"), name);
  }
  throw errors.PayloadUnusable(`${name} has no ${path}: it is no release of OpenShift`);
}

/**
 * Returns the linux/amd64 manifest of the index. If the index has none, returns its first manifest, because all platforms of a
 * payload list the same images.
 */
async function platformManifest(
  manifest: Manifest,
  repository: Repository,
  signal: AbortSignal,
): Promise<Manifest> {
  const { manifests } = manifest;
  const chosen = manifests.find(({ platform }) => platform === "linux/amd64") ?? manifests[0];
  return chosen ? repository.manifest(chosen.digest, signal) : manifest;
}

async function readLayer(
  { digest, size }: Descriptor,
  repository: Repository,
  name: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const what = `layer ${digest} of ${name}`;
  if (size > maxLayerBytes) throw errors.TooLarge(`${what} has more than ${maxLayerBytes} bytes`);
  const { body } = await repository.openBlob(digest, 0, signal);
  const hash = await ResumableHash.start(digest);
  let bytes = 0;
  async function* hashed() {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > size) throw errors.TooLarge(`${what} is longer than the ${size} bytes of its manifest`);
      hash.update(chunk);
      yield chunk;
    }
    const found = hash.digest();
    if (found !== digest)
      throw errors.DigestMismatch(`${what} has the digest ${found}: the registry gave something else`);
  }
  return fileInLayer(Readable.from(hashed()), path, { maxBytes: maxReferencesBytes, what, signal });
}

function imagesIn(text: string, name: string): readonly ImageReference[] {
  let stream: unknown;
  try {
    stream = JSON.parse(text);
  } catch {
    throw errors.PayloadUnusable(`${path} of ${name} is not JSON`);
  }
  const tags: unknown = Reflect.get(Object(Reflect.get(Object(stream), "spec")), "tags");
  if (!Array.isArray(tags) || tags.length === 0 || tags.length > maxImages) {
    throw errors.PayloadUnusable(`${path} of ${name} has no list of at most ${maxImages} images`);
  }
  const images = tags.map((tag: unknown) => imageOf(tag, name));
  return [...new Map(images.map((image) => [formatImageReference(image), image])).values()];
}

function imageOf(tag: unknown, name: string): ImageReference {
  const from: unknown = valueAt(tag, "from");
  if (isPlainObject(from) && from.kind === "DockerImage" && typeof from.name === "string") {
    return parseImageReference(from.name);
  }
  throw errors.PayloadUnusable(`${path} of ${name} has a tag that names no image`);
}
