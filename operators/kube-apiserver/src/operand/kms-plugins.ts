import { isDeepStrictEqual } from "node:util";
import { isPlainObject, type JsonObject, stringAt } from "@keelson/base";
import { type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { dataOf, pluginKeys, revisionName, withKmsPlugins } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { resourceDir, syncerKubeconfig } from "../config/operand-paths.ts";
import type { OperandImages } from "./operand-pod.ts";

export const encryptionSecret = { namespace: namespaces.target, name: "encryption-config" } as const;

/**
 * Adds to the static pod the KMS plugins that the encryption configuration needs. The plugins are added even if their feature
 * gate is disabled, because stored data could not be read without them.
 * @throws Error for a plugin that cannot be run
 */
export function withPlugins(
  pod: JsonObject,
  encryption: KubeObject | undefined,
  { operator: image }: Pick<OperandImages, "operator">,
): JsonObject {
  return withKmsPlugins(pod, "kube-apiserver", pluginKeys(dataOf(encryption)), {
    kind: "staticPod",
    dir: resourceDir,
    volume: "resource-dir",
    secretName: encryptionSecret.name,
    reporter: { image, command: ["cluster-kube-apiserver-operator"], kubeconfig: syncerKubeconfig },
  });
}

/** True if the revision's pod has exactly the plugins that the revision's encryption configuration needs. */
export async function hasItsPlugins(
  images: OperandImages,
  revision: number,
  api: KubeApi,
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace, name } = encryptionSecret;
  const key = (each: string) => ({ namespace, name: revisionName(each, revision) });
  const manifest = await api.get(resources.configMaps, key("kube-apiserver-pod"), signal);
  const encryption = await api.find(resources.secrets, key(name), signal);
  const pod: unknown = JSON.parse(stringAt(manifest, "data", "pod.yaml") ?? "");
  if (!isPlainObject(pod)) return false;
  return isDeepStrictEqual(
    pod,
    JSON.parse(JSON.stringify(withPlugins(pod as JsonObject, encryption, images))),
  );
}
