import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import type { Catalogue } from "../content/load-catalogue.ts";
import { tagMapName, versionAnnotation } from "../resources/resources.ts";

/**
 * Returns the ConfigMap with the image of each tag. Administrators use the ConfigMap to mirror images. It contains the images of
 * the catalogue, even if an override is set. Jenkins images are excluded, because the release contains them.
 */
export function tagMap(
  { imageStreams }: Catalogue,
  live: KubeObject | undefined,
  { namespace, version }: { readonly namespace: string; readonly version: string },
): WantedObject {
  const entries = [...imageStreams.values()]
    .filter(({ metadata }) => !metadata.name.startsWith("jenkins"))
    .flatMap((stream) =>
      listAt(stream, "spec", "tags")
        .filter((tag) => stringAt(tag, "from", "kind") === "DockerImage")
        .map(
          (tag) =>
            [
              `${stream.metadata.name}_${stringAt(tag, "name")}`,
              stringAt(tag, "from", "name") ?? "",
            ] as const,
        ),
    );
  const present = valueAt(live, "data");
  const stale = Object.keys(objectAt(present)).map((name) => [name, null] as const);
  return {
    metadata: { name: tagMapName, namespace, annotations: { [versionAnnotation]: version } },
    data: { ...Object.fromEntries(stale), ...Object.fromEntries(entries) },
  };
}
