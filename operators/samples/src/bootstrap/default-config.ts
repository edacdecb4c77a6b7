import { apiVersionOf, type KubeObject } from "@keelson/kube";
import { configKey, finalizer, samplesConfigs, unreachableAnnotation } from "../resources/resources.ts";

/** How the samples of a cluster begin that has no Config. */
export type FirstState = "Managed" | "Removed" | "Unreachable";

const names: Readonly<Record<string, string>> = {
  x64: "x86_64",
  arm64: "arm64",
  ppc64: "ppc64le",
  s390x: "s390x",
};

/** The name that Configs have for an architecture of Node.js. */
export function architectureName(arch: string): string | undefined {
  return names[arch];
}

/** The Config of a cluster that has none. */
export function defaultConfig(state: FirstState, architecture: string | undefined): KubeObject {
  return {
    apiVersion: apiVersionOf(samplesConfigs),
    kind: samplesConfigs.kind,
    metadata: {
      ...configKey,
      finalizers: [finalizer],
      // Kept with the object: a restart does not forget why.
      ...(state === "Unreachable" ? { annotations: { [unreachableAnnotation]: "true" } } : {}),
    },
    spec: {
      architectures: architecture === undefined ? [] : [architecture],
      managementState: state === "Managed" ? "Managed" : "Removed",
    },
  };
}
