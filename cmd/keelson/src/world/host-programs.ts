import type { HostProgram, ImageRegistry } from "@keelson/sim-openshift";
import type { PodController, RunImage } from "../options/run-image.ts";

/** Images that run as local programs. */
export interface HostPrograms {
  readonly runImages: readonly RunImage[];
  /** Controllers of the pods that run as local programs. An empty list means pods of any controller. */
  readonly runImagesFor: readonly PodController[];
}

/** Registers the images that run as local programs. */
export function mapHostPrograms(images: ImageRegistry, { runImages, runImagesFor }: HostPrograms): void {
  const owners = runImagesFor.map(({ namespace, kind, name }) => ({
    namespace: glob(namespace),
    kind: glob(kind),
    name: glob(name),
  }));
  for (const { prefix, command } of runImages) {
    const hostProgram: HostProgram = { command, ...(owners.length > 0 ? { owners } : {}) };
    images.set(prefix, { hostProgram });
  }
}

/** Converts a pattern to a regular expression. `*` matches any string. */
function glob(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`);
}
