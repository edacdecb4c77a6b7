import { resources } from "@keelson/kube";
import type { StoredObjects } from "../../testing/stored-objects.ts";
import type { InstallOptions } from "../install.ts";

/** Creates a revision of a static pod with few files, and the certificates that its installer copies. */
export async function createRevision(store: StoredObjects, revision: number): Promise<void> {
  const namespace = "operand";
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: "kube-apiserver", uid: "of the template", labels: { revision: "REVISION" } },
    spec: { containers: [{ name: "kube-apiserver", image: "server" }] },
  };
  const configMap = (name: string, data: Readonly<Record<string, string>>) =>
    store.create(resources.configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name },
      data,
    });
  const secret = (name: string, data: Readonly<Record<string, string>>) =>
    store.create(resources.secrets, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name },
      data: Object.fromEntries(
        Object.entries(data).map(([member, text]) => [member, Buffer.from(text).toString("base64")]),
      ),
    });
  await configMap(`kube-apiserver-pod-${revision}`, { "pod.yaml": JSON.stringify(pod), version: "1" });
  await configMap(`config-${revision}`, { "config.yaml": "the word REVISION is part of a configuration" });
  await secret(`etcd-client-${revision}`, { "tls.key": `key ${revision}` });
  const serving = { namespace, name: "serving" };
  await store.delete(resources.secrets, serving);
  const text = `${revision}`.repeat(50_000);
  await secret("serving", { "tls.crt": text, "tls.key": text });
}

export function optionsOf(revision: number): InstallOptions {
  const none = { configMaps: [], optionalConfigMaps: [], secrets: [], optionalSecrets: [] };
  return {
    revision,
    namespace: "operand",
    pod: "kube-apiserver-pod",
    resourceDir: "/resources",
    podManifestDir: "/manifests",
    podManifestsLockFile: "/lock/installer.lock",
    revisioned: {
      ...none,
      configMaps: ["config"],
      optionalConfigMaps: ["cloud-config"],
      secrets: ["etcd-client"],
    },
    certDir: "/resources/kube-apiserver-certs",
    certs: { ...none, secrets: ["serving"], optionalSecrets: ["user-serving-cert"] },
  };
}
