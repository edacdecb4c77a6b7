import type { KubeObject } from "@keelson/kube";
import { textAt } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { configText, operandConfig } from "../../config/operand-config.ts";
import { namespaces } from "../../namespaces.ts";
import { type OperandImages, operandPod } from "../../operand/operand-pod.ts";
import { type OperatorSpec, operandSettings } from "../../operand/operand-settings.ts";
import { type CaSource, caUnion } from "./ca-union.ts";

export interface TargetInputs {
  readonly spec: OperatorSpec & { readonly forceRedeploymentReason?: unknown };
  readonly images: OperandImages;
  readonly build: string;
  readonly now: Date;
  /** A ConfigMap; undefined where it is not there. */
  readonly find: (namespace: string, name: string) => KubeObject | undefined;
}

export type WantedConfigMap = WantedObject & { readonly data: Readonly<Record<string, string>> };

const { config, managed, operator, target } = namespaces;

/** Authorities whose clients the API servers trust, first those whose loss locks out. */
const clientAuthorities = [
  [config, "admin-kubeconfig-client-ca"],
  [managed, "csr-controller-ca"],
  [operator, "kube-apiserver-to-kubelet-client-ca"],
  [operator, "kube-control-plane-signer-ca"],
  [target, "user-client-ca"],
  [managed, "kubelet-bootstrap-kubeconfig"],
  [operator, "node-system-admin-ca"],
] as const;

/** Authorities of what API servers serve with. */
const servingAuthorities = [
  [operator, "loadbalancer-serving-ca"],
  [operator, "localhost-serving-ca"],
  [operator, "service-network-serving-ca"],
  [operator, "localhost-recovery-serving-ca"],
] as const;

/** The ConfigMaps that this controller makes, by name: what cannot be made does not keep the others. */
export const wantedConfigMaps: Readonly<Record<string, (inputs: TargetInputs) => WantedConfigMap>> = {
  config: ({ spec }) =>
    configMap("config", {
      "config.yaml": configText(
        operandConfig({ observed: spec.observedConfig, overrides: spec.unsupportedConfigOverrides }).config,
      ),
    }),
  "kube-apiserver-pod": ({ spec, images, build }) =>
    configMap("kube-apiserver-pod", {
      "pod.yaml": configText(operandPod(images, operandSettings(spec))),
      forceRedeploymentReason:
        typeof spec.forceRedeploymentReason === "string" ? spec.forceRedeploymentReason : "",
      version: build,
    }),
  "client-ca": (inputs) => bundle("client-ca", clientAuthorities, inputs),
  "kube-apiserver-server-ca": (inputs) => bundle("kube-apiserver-server-ca", servingAuthorities, inputs),
};

/** Filled in by the network operator, which the label asks for it. */
export const trustedCaBundle: WantedObject = {
  metadata: {
    namespace: target,
    name: "trusted-ca-bundle",
    labels: { "config.openshift.io/inject-trusted-cabundle": "true" },
    annotations: { "openshift.io/owning-component": "Networking / cluster-network-operator" },
  },
};

function configMap(name: string, data: Readonly<Record<string, string>>): WantedConfigMap {
  return { metadata: { namespace: target, name }, data };
}

function bundle(
  name: string,
  sources: readonly (readonly [string, string])[],
  { find, now }: TargetInputs,
): WantedConfigMap {
  const read = sources.map(
    ([namespace, source]): CaSource => ({
      namespace,
      name: source,
      pem: textAt(find(namespace, source), "data", "ca-bundle.crt"),
    }),
  );
  return {
    metadata: { namespace: target, name, annotations: { "openshift.io/owning-component": "kube-apiserver" } },
    data: { "ca-bundle.crt": caUnion(read, now) },
  };
}
