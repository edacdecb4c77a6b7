import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import type { ClusterFaults } from "../../faults/fault-registry.ts";
import { imageFault } from "../../faults/image-faults.ts";
import { formatImageReference, type ImageReference } from "./image-reference.ts";

/** Registry response to an image lookup. */
export type SourceResponse =
  | { readonly kind: "image"; readonly image: KubeObject; readonly dockerImageReference: string }
  | { readonly kind: "failure"; readonly code: number; readonly reason: string; readonly message: string };

/**
 * Simulated registries for image imports. Every image exists unless a fault applies. Repeated lookups of a reference return the
 * same image.
 */
export class ImageSources {
  readonly #faults: ClusterFaults;
  readonly #clock: Clock;

  constructor(faults: ClusterFaults, clock: Clock) {
    this.#faults = faults;
    this.#clock = clock;
  }

  async find(reference: ImageReference, signal: AbortSignal): Promise<SourceResponse> {
    const name = formatImageReference(reference);
    const fault = imageFault(this.#faults, name);
    if (fault && fault.delayMs > 0) await this.#clock.sleep(fault.delayMs, signal);
    if (fault?.error) return failureOf(name, fault.error);
    const image = imageOf(reference, timestamp(this.#clock.now()));
    return { kind: "image", image, dockerImageReference: dockerImageReferenceOf(reference) };
  }
}

/**
 * Returns the failure of an image lookup for a registry's HTTP status code. Reason and message are those of OpenShift's image
 * importer (openshift/library-go, image import).
 */
function failureOf(
  name: string,
  { code, message }: { readonly code: number; readonly message: string },
): SourceResponse {
  switch (code) {
    case 401:
    case 403:
      return {
        kind: "failure",
        code: 401,
        reason: "Unauthorized",
        message: `you may not have access to the container image "${name}"`,
      };
    case 404:
      return {
        kind: "failure",
        code: 404,
        reason: "NotFound",
        message: `dockerimage.image.openshift.io "${name}" not found`,
      };
    default:
      return {
        kind: "failure",
        code: 500,
        reason: "InternalError",
        message: `Internal error occurred: ${name}: ${message}`,
      };
  }
}

function digestOf(reference: ImageReference): string {
  if (reference.digest) return reference.digest;
  return `sha256:${createHash("sha256").update(formatImageReference(reference)).digest("hex")}`;
}

function dockerImageReferenceOf(reference: ImageReference): string {
  return formatImageReference({ ...reference, digest: digestOf(reference) });
}

/** Returns an image.openshift.io Image with realistic contents. */
function imageOf(reference: ImageReference, created: string): KubeObject {
  const digest = digestOf(reference);
  const layer = `sha256:${createHash("sha256").update(`layer of ${digest}`).digest("hex")}`;
  const size = 1_000_000 + (Number.parseInt(digest.slice(7, 13), 16) % 100_000_000);
  return {
    apiVersion: "image.openshift.io/v1",
    kind: "Image",
    metadata: { name: digest, annotations: { "image.openshift.io/dockerLayersOrder": "ascending" } },
    dockerImageReference: dockerImageReferenceOf(reference),
    dockerImageMetadata: {
      kind: "DockerImage",
      apiVersion: "1.0",
      Id: layer,
      Created: created,
      Architecture: "amd64",
      Size: size,
      Config: { Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], Labels: {} },
    },
    dockerImageMetadataVersion: "1.0",
    dockerImageLayers: [
      { name: layer, size, mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip" },
    ],
    dockerImageManifestMediaType: "application/vnd.docker.distribution.manifest.v2+json",
  };
}
