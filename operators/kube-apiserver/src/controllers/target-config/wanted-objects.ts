import type { KubeObject, ObjectKey } from "@keelson/kube";
import { startupMonitorMember, type WantedObject } from "@keelson/operator-kit";
import { clientCaSources, combinedCa, serverCaSources } from "../../certificates/client-ca.ts";
import { namespaces } from "../../config/namespaces.ts";
import { configText, operandConfig } from "../../config/operand-config.ts";
import { withPlugins } from "../../operand/kms-plugins.ts";
import { type OperandImages, operandPod } from "../../operand/operand-pod.ts";
import { type OperatorSpec, operandSettings } from "../../operand/operand-settings.ts";
import { startupMonitorPod, wantsStartupMonitor } from "../../operand/startup-monitor-pod.ts";

export interface TargetInputs {
  readonly spec: OperatorSpec & { readonly forceRedeploymentReason?: unknown };
  readonly images: OperandImages;
  readonly build: string;
  readonly now: Date;
  /** Object `infrastructure.config.openshift.io/cluster`. `undefined` if it does not exist. */
  readonly infrastructure: KubeObject | undefined;
  /** Finds a ConfigMap. `undefined` if it does not exist. */
  readonly find: (key: ObjectKey) => KubeObject | undefined;
  /** Secret `encryption-config` of the API servers. `undefined` if it does not exist. */
  readonly encryption: KubeObject | undefined;
}

export type WantedConfigMap = WantedObject & { readonly data: Readonly<Record<string, string>> };

const { target } = namespaces;

/**
 * Functions that return the controller's ConfigMaps, by ConfigMap name. An error in one function does not block the other
 * functions.
 */
export const wantedConfigMaps: Readonly<Record<string, (inputs: TargetInputs) => WantedConfigMap>> = {
  config: ({ spec }) =>
    configMap("config", {
      "config.yaml": configText(
        operandConfig({ observed: spec.observedConfig, overrides: spec.unsupportedConfigOverrides }).config,
      ),
    }),
  "kube-apiserver-pod": ({ spec, images, build, infrastructure, encryption }) =>
    configMap("kube-apiserver-pod", {
      "pod.yaml": configText(withPlugins(operandPod(images, operandSettings(spec)), encryption, images)),
      forceRedeploymentReason:
        typeof spec.forceRedeploymentReason === "string" ? spec.forceRedeploymentReason : "",
      version: build,
      ...(wantsStartupMonitor(spec, infrastructure)
        ? { [startupMonitorMember({ name: "kube-apiserver" })]: configText(startupMonitorPod(images, spec)) }
        : {}),
    }),
  "client-ca": (inputs) => bundle("client-ca", clientCaSources, inputs),
  "kube-apiserver-server-ca": (inputs) => bundle("kube-apiserver-server-ca", serverCaSources, inputs),
};

/** ConfigMap with the label that makes the network operator inject the trusted CA bundle. */
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

function bundle(name: string, sources: typeof clientCaSources, { find, now }: TargetInputs): WantedConfigMap {
  return {
    metadata: { namespace: target, name, annotations: { "openshift.io/owning-component": "kube-apiserver" } },
    data: { "ca-bundle.crt": combinedCa(sources, find, now) },
  };
}
