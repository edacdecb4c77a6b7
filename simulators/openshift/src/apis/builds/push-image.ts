import { createHash } from "node:crypto";
import {
  allAuthenticated,
  type KubeObject,
  serviceAccountGroups,
  serviceAccountName,
} from "@keelson/apiserver";
import { numberAt, stringAt, valueAt } from "@keelson/base";
import { ensureObject } from "../../base/objects.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { failures } from "../failures.ts";
import { imageApiVersion, imageGroup, imageStreams, images } from "../images/image-resources.ts";
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
 * @throws StatusError 403 if the build's account may not push, 404 if the image stream does not exist
 */
export async function pushImage(
  { client, logical }: Pick<Cluster, "client" | "logical">,
  build: KubeObject,
  output: OutputTag,
  now: string,
): Promise<void> {
  const { namespace, name, tag } = output;
  await requirePermission(logical, build, output);
  // Fails if the stream does not exist, so that no image is created.
  await client.get(imageStreams, { namespace, name });
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

/**
 * Requires that the service account of the build may push to the stream. In OpenShift, each namespace binds its account `builder`
 * to `system:image-builder`. Here, only projects have this binding, so `builder` may always push in its own namespace.
 * @throws StatusError 403
 */
async function requirePermission(
  logical: Cluster["logical"],
  build: KubeObject,
  { namespace, name }: OutputTag,
): Promise<void> {
  const { namespace: own = "" } = build.metadata;
  const account = stringAt(build, "spec", "serviceAccount") || "builder";
  if (namespace === own && account === "builder") return;
  const resource = "imagestreams/layers";
  const user = {
    name: serviceAccountName(own, account),
    groups: [...serviceAccountGroups(own), allAuthenticated],
  };
  const action = { kind: "resource", verb: "update", group: imageGroup, resource, namespace, name } as const;
  if (await logical.allows(user, action)) return;
  const why = `User "${user.name}" cannot update resource "${resource}" in the namespace "${namespace}"`;
  throw failures.forbidden({ group: imageGroup, resource: "imagestreams" }, name, why);
}
