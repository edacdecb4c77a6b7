import type { AggregatedResource } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { failures } from "../failures.ts";
import { imageApiVersion, imageGroup, imageStreams, images, named } from "./image-resources.ts";
import { itemOf } from "./tag-history.ts";

/** Read-only ImageStreamImages: all images in a stream's history. Their names have the form `stream@sha256:…`. */
export function imageStreamImageResource({ client }: ApiContext): AggregatedResource {
  return {
    group: imageGroup,
    version: "v1",
    kind: "ImageStreamImage",
    plural: "imagestreamimages",
    shortNames: ["isimage"],
    namespaced: true,
    handlers: {
      get: async ({ namespace, name }) => {
        const [streamName, digest, ...rest] = name.split("@");
        if (!streamName || !digest || rest.length > 0) {
          throw failures.badRequest("ImageStreamImages must be retrieved with <name>@<id>");
        }
        const stream = await client.get(imageStreams, { namespace, name: streamName });
        const wanted = digest.startsWith("sha256:") ? digest : `sha256:${digest}`;
        const item = listAt(stream, "status", "tags")
          .flatMap((tag) => listAt(tag, "items").map(itemOf))
          .find(({ image }) => image.startsWith(wanted));
        const image = item && (await client.find(images, { name: item.image }));
        if (!item || !image) throw failures.notFound(named("imagestreamimages"), name);
        const { uid, resourceVersion } = stream.metadata;
        return {
          kind: "ImageStreamImage",
          apiVersion: imageApiVersion,
          metadata: {
            name: `${streamName}@${item.image}`,
            ...(namespace === undefined ? {} : { namespace }),
            ...(uid === undefined ? {} : { uid }),
            ...(resourceVersion === undefined ? {} : { resourceVersion }),
            creationTimestamp: stringAt(image, "metadata", "creationTimestamp") ?? item.created,
          },
          image,
        };
      },
    },
  };
}
