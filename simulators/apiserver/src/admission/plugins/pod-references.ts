import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt } from "@keelson/base";

const containerLists = ["initContainers", "containers", "ephemeralContainers"];

/** Names of all Secrets that a pod references. */
export function secretNamesOf(pod: KubeObject): readonly string[] {
  const pulled = listAt(pod, "spec", "imagePullSecrets").map((each) => scalarStringAt(each, "name"));
  // Volume sources store the Secret name in one of these fields.
  const mounted = sourcesOf(pod).flatMap((source) => [
    scalarStringAt(source, "secretName"),
    scalarStringAt(source, "secretRef", "name"),
    scalarStringAt(source, "nodePublishSecretRef", "name"),
    ...listAt(source, "sources").map((each) => scalarStringAt(each, "secret", "name")),
  ]);
  return named([...pulled, ...variableSources(pod, "secretRef", "secretKeyRef"), ...mounted]);
}

/** Names of all ConfigMaps that a pod references. */
export function configMapNamesOf(pod: KubeObject): readonly string[] {
  const mounted = listAt(pod, "spec", "volumes").flatMap((volume) => [
    scalarStringAt(volume, "configMap", "name"),
    ...listAt(volume, "projected", "sources").map((each) => scalarStringAt(each, "configMap", "name")),
  ]);
  return named([...variableSources(pod, "configMapRef", "configMapKeyRef"), ...mounted]);
}

function sourcesOf(pod: KubeObject): readonly unknown[] {
  return listAt(pod, "spec", "volumes").flatMap((volume) =>
    isPlainObject(volume) ? Object.values(volume) : [],
  );
}

/**
 * Returns the names of objects that the containers' environment variables reference. An entry of `envFrom` references a complete
 * object. A single variable references one key of an object.
 */
function variableSources(pod: KubeObject, whole: string, key: string): readonly string[] {
  return containerLists
    .flatMap((list) => listAt(pod, "spec", list))
    .flatMap((container) => [
      ...listAt(container, "envFrom").map((each) => scalarStringAt(each, whole, "name")),
      ...listAt(container, "env").map((each) => scalarStringAt(each, "valueFrom", key, "name")),
    ]);
}

function named(names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== "");
}
