import { createHash } from "node:crypto";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { ensureObject } from "../../base/objects.ts";
import { imageApiVersion, imageStreams, images } from "../images/image-resources.ts";
import { internalRegistry } from "../images/internal-registry.ts";
import { specTag, withItem } from "../images/tag-history.ts";
import { changeObject } from "../optimistic-write.ts";

/** Image stream tag to which a build pushes its image. */
export interface OutputTag {
  readonly namespace: string;
  readonly name: string;
  readonly tag: string;
}

/** Returns the tag to which a build pushes. `undefined` if it pushes to an external registry or nowhere. */
export function outputTagOf(build: KubeObject): OutputTag | undefined {
  const to = valueAt(build, "spec", "output", "to");
  if (stringAt(to, "kind") !== "ImageStreamTag") return undefined;
  const [name = "", tag = "latest"] = (stringAt(to, "name") ?? "").split(":");
  return { namespace: stringAt(to, "namespace") || (build.metadata.namespace ?? ""), name, tag };
}

/** Returns the digest of the image that a build pushes. It depends only on the build. */
export function digestOf({ metadata }: KubeObject): string {
  return `sha256:${createHash("sha256")
    .update(metadata.uid ?? "")
    .digest("hex")}`;
}

export function referenceOf({ namespace, name, tag }: OutputTag): string {
  return `${internalRegistry}/${namespace}/${name}:${tag}`;
}

/**
 * Adds the image of a complete build to its tag. A repeated call changes nothing. The image has no layers.
 * @throws StatusError 404 if the image stream does not exist
 */
export async function pushImage(
  client: ClusterClient,
  build: KubeObject,
  { namespace, name, tag }: OutputTag,
  now: string,
): Promise<void> {
  const image = digestOf(build);
  const dockerImageReference = `${internalRegistry}/${namespace}/${name}@${image}`;
  await ensureObject(client, images, {
    apiVersion: imageApiVersion,
    kind: "Image",
    metadata: { name: image, annotations: { "openshift.io/image.managed": "true" } },
    dockerImageReference,
    dockerImageLayers: [],
    dockerImageManifestMediaType: "application/vnd.docker.distribution.manifest.v2+json",
    dockerImageMetadata: {
      apiVersion: "1.0",
      kind: "DockerImage",
      Architecture: "amd64",
      Created: now,
      Config: { Labels: { "io.openshift.build.name": build.metadata.name } },
    },
    dockerImageMetadataVersion: "1.0",
  });
  await changeObject(client, imageStreams, { namespace, name }, "status", (stream) => {
    const generation = numberAt(specTag(stream, tag), "generation") ?? stream.metadata.generation ?? 1;
    return withItem(stream, tag, { created: now, dockerImageReference, image, generation });
  });
}
