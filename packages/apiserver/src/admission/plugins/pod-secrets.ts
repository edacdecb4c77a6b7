import { isPlainObject } from "@keelson/base";
import { arrayAt, textAt } from "../../json/access.ts";
import type { KubeObject } from "../../kube-object.ts";

const containerLists = ["initContainers", "containers", "ephemeralContainers"];

/** The names of all Secrets that a pod refers to. */
export function secretNamesOf(pod: KubeObject): readonly string[] {
  const pulled = arrayAt(pod, "spec", "imagePullSecrets").map((each) => textAt(each, "name"));
  const used = containerLists.flatMap((list) => arrayAt(pod, "spec", list).flatMap(containerSecrets));
  const mounted = arrayAt(pod, "spec", "volumes").flatMap(volumeSecrets);
  return [...pulled, ...used, ...mounted].filter((name) => name !== "");
}

function containerSecrets(container: unknown): readonly string[] {
  return [
    ...arrayAt(container, "envFrom").map((each) => textAt(each, "secretRef", "name")),
    ...arrayAt(container, "env").map((each) => textAt(each, "valueFrom", "secretKeyRef", "name")),
  ];
}

/** Each kind of volume names its Secret by a member of the same few names. */
function volumeSecrets(volume: unknown): readonly string[] {
  const sources = isPlainObject(volume) ? Object.values(volume) : [];
  return sources.flatMap((source) => [
    textAt(source, "secretName"),
    textAt(source, "secretRef", "name"),
    textAt(source, "nodePublishSecretRef", "name"),
    ...arrayAt(source, "sources").map((each) => textAt(each, "secret", "name")),
  ]);
}
