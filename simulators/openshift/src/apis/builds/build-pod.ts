import type { KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt, valueAt } from "@keelson/base";
import { controllerReference } from "@keelson/controller";
import { buildLabel, buildPodName, labelValue } from "./build-refs.ts";

/** Builder program of each strategy, in the image `docker-builder` of a release. */
const builders: Readonly<Record<string, { readonly container: string; readonly command: string }>> = {
  Docker: { container: "docker-build", command: "openshift-docker-build" },
  Source: { container: "sti-build", command: "openshift-sti-build" },
};

/**
 * Returns the pod of a build. Its builder is an unknown program. The setting for unknown programs therefore decides whether
 * builds complete, fail or run until they are cancelled. The images of custom strategies are also unknown programs.
 */
export function buildPod(build: KubeObject): KubeObject {
  const { name, namespace = "" } = build.metadata;
  const type = stringAt(build, "spec", "strategy", "type") ?? "";
  const known = Object.hasOwn(builders, type) ? builders[type] : undefined;
  const custom = stringAt(build, "spec", "strategy", "customStrategy", "from", "name") ?? "custom-builder";
  const selector = valueAt(build, "spec", "nodeSelector");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: buildPodName(build),
      labels: { [buildLabel]: labelValue(name) },
      annotations: { [buildLabel]: name },
      ownerReferences: [controllerReference(build)],
    },
    spec: {
      serviceAccountName: stringAt(build, "spec", "serviceAccount") || "builder",
      restartPolicy: "Never",
      ...(selector === undefined ? {} : { nodeSelector: objectAt(selector) }),
      containers: [
        {
          name: known?.container ?? "custom-build",
          image: known ? "quay.io/openshift/origin-docker-builder:latest" : custom,
          ...(known ? { command: [known.command] } : {}),
          resources: objectAt(build, "spec", "resources"),
        },
      ],
    },
  };
}
