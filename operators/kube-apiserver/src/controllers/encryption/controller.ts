import type { Controller } from "@keelson/controller";
import { type KubeObject, resources, textAt } from "@keelson/kube";
import { encryptionControllers, isEncryptionMode, type KeyPolicy } from "@keelson/operator-kit";
import { namespaces } from "../../namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, type OperatorContext } from "../../operator-context.ts";

/** Encrypts Secrets and ConfigMaps in etcd as APIServer `cluster` asks for. */
export const encryption: readonly Controller<OperatorContext>[] = encryptionControllers<OperatorContext>(
  resources.kubeApiServers,
  {
    component: "openshift-kube-apiserver",
    namespace: namespaces.target,
    podSelector: "apiserver=true",
    resources: ["secrets", "configmaps"],
    policy: ({ cache }, configuration) =>
      encryptionPolicy(cache.known(resources.apiServers, singleton)?.object, configuration),
  },
  inputWatches([clusterInput(resources.apiServers)]),
);

/** What APIServer `cluster` asks for. @throws Error for a mode that is not known */
export function encryptionPolicy(apiServer: KubeObject | undefined, configuration: KubeObject): KeyPolicy {
  const mode = textAt(apiServer, "spec", "encryption", "type") || "identity";
  if (!isEncryptionMode(mode))
    throw new Error(`apiserver/cluster: spec.encryption.type ${JSON.stringify(mode)} is not supported`);
  const externalReason =
    textAt(configuration, "spec", "unsupportedConfigOverrides", "encryption", "reason") ?? "";
  return { mode, externalReason };
}
