import { isPlainObject, objectAt } from "@keelson/base";
import { isDigest } from "./digest.ts";
import { errors } from "./errors.ts";

/** Reference to a component of an image, such as a layer. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** Platform as `os/architecture`. Undefined if the index does not contain the platform. */
  readonly platform?: string;
}

/** Image manifest or image index. */
export interface Manifest {
  readonly mediaType: string;
  /** Original bytes from the registry. Their hash is the digest. */
  readonly content: Buffer;
  readonly digest: string;
  /** Manifests of an image index. */
  readonly manifests: readonly Descriptor[];
  /** Configuration and layers of an image, configuration first. Excludes layers that registries do not store. */
  readonly blobs: readonly Descriptor[];
  /** Subset of `blobs`: the layers in their order. */
  readonly layers: readonly Descriptor[];
}

export const maxManifestBytes = 4 * 1024 * 1024;
const maxParts = 2_000;

const indexTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const imageTypes = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** `Accept` header value for manifests. */
export const manifestTypes = [...indexTypes, ...imageTypes].join(", ");

/** Parses a manifest. `what` names the manifest in error messages. @throws ManifestInvalid */
export function parseManifest(content: Buffer, contentType: string, digest: string, what: string): Manifest {
  const value = json(content, what);
  const declared = typeof value.mediaType === "string" ? value.mediaType : undefined;
  const mediaType = declared ?? (contentType.split(";")[0] ?? "").trim();
  const isIndex = indexTypes.includes(mediaType);
  if (!isIndex && !imageTypes.includes(mediaType)) {
    throw errors.ManifestInvalid(
      `${what} is of a kind that cannot be mirrored: ${JSON.stringify(mediaType.slice(0, 100))}`,
    );
  }
  const layers = isIndex ? [] : listOf(value.layers, "layers", what);
  const held = layers.filter(({ mediaType: type }) => !/\.(?:foreign|nondistributable)\./.test(type));
  return {
    mediaType,
    content,
    digest,
    manifests: isIndex ? listOf(value.manifests, "manifests", what) : [],
    blobs: isIndex ? [] : [descriptor(value.config, "config", what), ...held],
    layers: held,
  };
}

function json(content: Buffer, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    if (isPlainObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw errors.ManifestInvalid(`${what} is no JSON object`);
}

function listOf(value: unknown, member: string, what: string): readonly Descriptor[] {
  if (!Array.isArray(value) || value.length > maxParts) {
    throw errors.ManifestInvalid(`${what}: ${member} is not a list of at most ${maxParts}`);
  }
  return value.map((each, index) => descriptor(each, `${member}[${index}]`, what));
}

function descriptor(value: unknown, place: string, what: string): Descriptor {
  if (isPlainObject(value)) {
    const { mediaType, digest, size, annotations, platform } = value;
    if (
      typeof mediaType === "string" &&
      typeof digest === "string" &&
      isDigest(digest) &&
      typeof size === "number" &&
      Number.isSafeInteger(size) &&
      size >= 0
    ) {
      return { mediaType, digest, size, annotations: textsOf(annotations), ...platformOf(platform) };
    }
  }
  throw errors.ManifestInvalid(`${what}: ${place} lacks a media type, a known digest or a size`);
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(objectAt(value)))
    if (typeof text === "string") texts[name] = text;
  return texts;
}

function platformOf(value: unknown): { readonly platform?: string } {
  return isPlainObject(value) ? { platform: `${value.os}/${value.architecture}` } : {};
}
