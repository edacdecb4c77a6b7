import type { SubresourceHandlers } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { imageApiVersion, imageStreams, images } from "./image-resources.ts";

const registrySecretTypes: ReadonlySet<string> = new Set([
  "kubernetes.io/dockercfg",
  "kubernetes.io/dockerconfigjson",
]);

/** Read-only ImageStream subresources. Their content is not part of the ImageStream object. */
export function imageStreamSubresources({
  client,
}: ApiContext): Readonly<Record<string, SubresourceHandlers>> {
  return {
    /** Lists the namespace's secrets that imports may use. */
    secrets: {
      kind: "SecretList",
      group: "",
      version: "v1",
      get: async ({ namespace, name }) => {
        await client.get(imageStreams, { namespace, name });
        const { items, resourceVersion } = await client.list(resources.secrets, { namespace });
        const found = items.filter((each) => registrySecretTypes.has(stringAt(each, "type") ?? ""));
        return { kind: "SecretList", apiVersion: "v1", metadata: { resourceVersion }, items: found };
      },
    },
    /** Lists the layers of the stream's images. */
    layers: {
      kind: "ImageStreamLayers",
      get: async ({ namespace, name }) => {
        const stream = await client.get(imageStreams, { namespace, name });
        const names = new Set(
          listAt(stream, "status", "tags").flatMap((tag) =>
            listAt(tag, "items").map((item) => stringAt(item, "image") ?? ""),
          ),
        );
        const found = await Promise.all([...names].map((each) => client.find(images, { name: each })));
        const present = found.filter((each) => each !== undefined);
        const blobs = present.flatMap((image) =>
          listAt(image, "dockerImageLayers").map((layer) => [
            stringAt(layer, "name") ?? "",
            { size: numberAt(layer, "size"), mediaType: stringAt(layer, "mediaType") },
          ]),
        );
        return {
          kind: "ImageStreamLayers",
          apiVersion: imageApiVersion,
          metadata: stream.metadata,
          blobs: Object.fromEntries(blobs),
          images: Object.fromEntries(
            present.map((image) => [
              image.metadata.name,
              { layers: listAt(image, "dockerImageLayers").map((layer) => stringAt(layer, "name")) },
            ]),
          ),
        };
      },
    },
  };
}
