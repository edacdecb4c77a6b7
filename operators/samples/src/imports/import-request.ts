import { listAt, objectAt, stringAt } from "@keelson/base";
import { apiVersionOf, type KubeObject } from "@keelson/kube";
import { imageStreamImports } from "../resources/resources.ts";

/**
 * Returns the ImageStreamImport that repeats the imports of the given tags. A tag that refers to a second tag imports the image
 * of the second tag. Tags without an image are skipped. The result is `undefined` if no tag has an image.
 */
export function importRequest(stream: KubeObject, tags: Iterable<string>): KubeObject | undefined {
  const { name, namespace, resourceVersion } = stream.metadata;
  const images = [...tags].flatMap((tag) => {
    const source = imageTag(stream, tag);
    if (!source) return [];
    const { insecure, scheduled, importMode } = objectAt(source, "importPolicy");
    return [
      {
        from: { kind: "DockerImage", name: stringAt(source, "from", "name") ?? "" },
        to: { name: tag },
        importPolicy: {
          ...(typeof insecure === "boolean" ? { insecure } : {}),
          ...(typeof scheduled === "boolean" ? { scheduled } : {}),
          ...(typeof importMode === "string" ? { importMode } : {}),
        },
        referencePolicy: { type: "Local" },
      },
    ];
  });
  if (images.length === 0) return undefined;
  return {
    apiVersion: apiVersionOf(imageStreamImports),
    kind: imageStreamImports.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: { import: true, images },
  };
}

/** Follows the references of a tag. Returns the tag that has the image. */
function imageTag(stream: KubeObject, tag: string): unknown {
  const seen = new Set<string>();
  for (let name = tag; !seen.has(name); ) {
    seen.add(name);
    const found = listAt(stream, "spec", "tags").find((each) => stringAt(each, "name") === name);
    const kind = stringAt(found, "from", "kind");
    if (kind === "DockerImage" && stringAt(found, "from", "name")) return found;
    if (kind !== "ImageStreamTag") return undefined;
    const [first = "", second] = (stringAt(found, "from", "name") ?? "").split(":");
    if (second !== undefined && first !== stream.metadata.name) return undefined;
    name = second ?? first;
  }
  return undefined;
}
