import { isPlainObject, type JsonObject, stringAt, valueAt } from "@keelson/base";
import type { Controller } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { encryptionControllers, isEncryptionMode, type KeyPolicy } from "@keelson/operator-kit";
import { featureGatesOf, isEnabled } from "../../config/feature-gates.ts";
import { namespaces } from "../../config/namespaces.ts";
import { gatesInput } from "../../observers/gates.ts";
import { clusterInput, namespaceInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, type OperatorContext } from "../../runtime/operator-context.ts";

/** Component name of the API servers. Encryption keys of the API servers have it as a label value and in their names. */
export const encryptionComponent = "openshift-kube-apiserver";
export const encryptedResources = ["secrets", "configmaps"] as const;

/** Encrypts Secrets and ConfigMaps in etcd according to APIServer `cluster`. */
export function encryption(version: string): readonly Controller<OperatorContext>[] {
  return encryptionControllers<OperatorContext>(
    resources.kubeApiServers,
    {
      component: encryptionComponent,
      namespace: namespaces.target,
      podSelector: "apiserver=true",
      resources: encryptedResources,
      policy: ({ cache }, configuration) =>
        encryptionPolicy(cache.known(resources.apiServers, singleton)?.object, configuration, () =>
          isEnabled(
            featureGatesOf(cache.known(resources.featureGates, singleton)?.object, version),
            "KMSEncryption",
          ),
        ),
      preflight: {
        image: ({ images }) => images.operator,
        command: ["cluster-kube-apiserver-operator", "kms-preflight"],
      },
    },
    inputWatches([
      clusterInput(resources.apiServers),
      gatesInput,
      // Watches of the objects that configurations of KMS plugins reference.
      namespaceInput(resources.secrets, namespaces.config),
      namespaceInput(resources.configMaps, namespaces.config),
    ]),
  );
}

/**
 * Returns the encryption policy of APIServer `cluster`.
 * @throws Error if the mode is unknown or requires a disabled feature gate
 */
export function encryptionPolicy(
  apiServer: KubeObject | undefined,
  configuration: KubeObject,
  hasKms: () => boolean,
): KeyPolicy {
  const mode = stringAt(apiServer, "spec", "encryption", "type") || "identity";
  const asked = `apiserver/cluster: spec.encryption.type ${JSON.stringify(mode)}`;
  if (!isEncryptionMode(mode)) throw new Error(`${asked} is not supported`);
  if (mode === "KMS" && !hasKms())
    throw new Error(`${asked} is not supported without feature gate KMSEncryption`);
  const externalReason =
    stringAt(configuration, "spec", "unsupportedConfigOverrides", "encryption", "reason") ?? "";
  const plugin = valueAt(apiServer, "spec", "encryption", "kms");
  return {
    mode,
    externalReason,
    ...(mode === "KMS" && isPlainObject(plugin) ? { plugin: plugin as JsonObject } : {}),
  };
}
