import type { AggregatedResource, KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { ensureObject } from "../../base/objects.ts";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { changeObject } from "../optimistic-write.ts";
import { imageApiVersion, imageGroup, imageStreams, images } from "./image-resources.ts";
import { specTag, withItem } from "./tag-history.ts";

/**
 * ImageStreamMappings resource. A create request adds an image to a stream. The created ImageStreamMapping is not stored. The
 * image registry sends this request after each push.
 */
export function imageStreamMappingResource({ client, clock }: ApiContext): AggregatedResource {
  return {
    group: imageGroup,
    version: "v1",
    kind: "ImageStreamMapping",
    plural: "imagestreammappings",
    namespaced: true,
    handlers: {
      create: async ({ namespace, dryRun }, mapping) => {
        const { name } = mapping.metadata;
        const tag = stringAt(mapping, "tag") || "latest";
        const image = imageIn(mapping);
        if (!image) {
          throw failures.invalid(
            "ImageStreamMapping",
            imageGroup,
            name,
            "image.metadata.name",
            "Required value",
          );
        }
        await client.get(imageStreams, { namespace, name });
        if (dryRun) return { ...mapping, metadata: mapping.metadata };
        await ensureObject(client, images, image);
        const created = timestamp(clock.now());
        const dockerImageReference = stringAt(image, "dockerImageReference") ?? "";
        await changeObject(client, imageStreams, { namespace, name }, "status", (stream) => {
          const generation = numberAt(specTag(stream, tag), "generation") ?? stream.metadata.generation ?? 1;
          return withItem(stream, tag, {
            created,
            dockerImageReference,
            image: image.metadata.name,
            generation,
          });
        });
        return { kind: "Status", apiVersion: "v1", metadata: { name: "" }, status: "Success" };
      },
    },
  };
}

function imageIn(mapping: KubeObject): KubeObject | undefined {
  const image = objectAt(mapping, "image");
  const name = stringAt(image, "metadata", "name");
  if (!name) return undefined;
  return {
    ...image,
    apiVersion: imageApiVersion,
    kind: "Image",
    metadata: { ...objectAt(image, "metadata"), name },
  };
}
