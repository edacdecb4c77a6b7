import { type KubeClient, type KubeResource, resources } from "@keelson/kube";

/** Adds OpenShift kinds to a Kubernetes cluster. Their objects may have any fields. */
export async function addKinds(
  kube: KubeClient,
  kinds: readonly KubeResource[],
  signal: AbortSignal,
): Promise<void> {
  for (const { group, version, plural, kind, namespaced } of kinds) {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await kube.create(
      resources.customResourceDefinitions,
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: namespaced ? "Namespaced" : "Cluster",
          names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
          versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      },
      signal,
    );
  }
  for (const kind of kinds) await untilServed(kube, kind, signal);
}

async function untilServed(
  kube: KubeClient,
  { plural, group }: KubeResource,
  signal: AbortSignal,
): Promise<void> {
  while (!(await kube.findResource(`${plural}.${group}`, signal))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    signal.throwIfAborted();
  }
}
