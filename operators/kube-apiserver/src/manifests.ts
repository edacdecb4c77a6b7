import { fileURLToPath } from "node:url";
import { isPlainObject, listAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { type OperatorManifest, readManifests } from "@keelson/operator-kit";

/** Release that contains the operator. */
export interface KubeApiserverRelease {
  /** Image reference of the operator. */
  readonly image: string;
  /** Image reference of the API server. */
  readonly operandImage: string;
  readonly version: string;
  readonly kubernetesVersion: string;
  /**
   * Time in seconds that a master's API server must be ready before the API server of the next master is updated. Default: 30 s.
   */
  readonly minReadySeconds?: number;
}

const directory = fileURLToPath(new URL("../manifests", import.meta.url));

/** Returns the operator's manifests for a release. */
export function manifests({
  image,
  operandImage,
  minReadySeconds,
  ...versions
}: KubeApiserverRelease): readonly OperatorManifest[] {
  const read = readManifests(directory, {
    component: "kube-apiserver-operator",
    images: { "keelson:latest": image, "hyperkube:latest": operandImage },
    ...versions,
  });
  if (minReadySeconds === undefined) return read;
  const argument = `--min-ready=${minReadySeconds}`;
  return read.map(({ file, object }) => ({ file, object: withArgument(object, argument) }));
}

/** Adds an argument to the containers of a Deployment. */
function withArgument(object: KubeObject, argument: string): KubeObject {
  if (object.kind !== "Deployment") return object;
  const result = structuredClone(object);
  for (const container of listAt(result, "spec", "template", "spec", "containers"))
    if (isPlainObject(container)) container.args = [...listAt(container, "args"), argument];
  return result;
}
