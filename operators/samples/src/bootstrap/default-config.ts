import { apiVersionOf, type KubeObject } from "@keelson/kube";
import { configKey, finalizer, samplesConfigs, unreachableAnnotation } from "../resources/resources.ts";

/** Initial state of the samples in a cluster that has no Config. */
export type FirstState = "Managed" | "Removed" | "Unreachable";

const names: Readonly<Record<string, string>> = {
  x64: "x86_64",
  arm64: "arm64",
  ppc64: "ppc64le",
  s390x: "s390x",
};

/** Returns the architecture name in Configs for a Node.js architecture. */
export function architectureName(arch: string): string | undefined {
  return names[arch];
}

/** Returns the initial Config of a cluster. */
export function defaultConfig(state: FirstState, architecture: string | undefined): KubeObject {
  return {
    apiVersion: apiVersionOf(samplesConfigs),
    kind: samplesConfigs.kind,
    metadata: {
      ...configKey,
      finalizers: [finalizer],
      // The reason is stored in the object, so that it survives a restart.
      ...(state === "Unreachable" ? { annotations: { [unreachableAnnotation]: "true" } } : {}),
    },
    spec: {
      architectures: architecture === undefined ? [] : [architecture],
      managementState: state === "Managed" ? "Managed" : "Removed",
    },
  };
}
