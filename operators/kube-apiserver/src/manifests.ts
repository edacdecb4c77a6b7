import { fileURLToPath } from "node:url";
import { type OperatorManifest, readManifests } from "@keelson/operator-kit";

/** The release that the operator is a part of. */
export interface KubeApiserverRelease {
  /** Reference of the operator's image. */
  readonly image: string;
  /** Reference of the image of the API servers. */
  readonly operandImage: string;
  readonly version: string;
  readonly kubernetesVersion: string;
}

const folder = fileURLToPath(new URL("../manifests", import.meta.url));

/** What the operator brings into a release. */
export function manifests({
  image,
  operandImage,
  ...versions
}: KubeApiserverRelease): readonly OperatorManifest[] {
  return readManifests(folder, {
    component: "kube-apiserver-operator",
    images: { "keelson:latest": image, "hyperkube:latest": operandImage },
    ...versions,
  });
}
