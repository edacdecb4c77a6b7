import type { KubeObject } from "@keelson/apiserver";
import { numberAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { ignitionOf } from "../machine-configs/base-configs.ts";

export type GeneratedSpec =
  | { readonly kind: "spec"; readonly spec: Readonly<Record<string, unknown>> }
  | { readonly kind: "invalid"; readonly message: string };

/**
 * Node configuration of a KubeletConfig: the kubelet's configuration and the resources reserved for the
 * system.
 */
export function kubeletSpec(config: KubeObject): GeneratedSpec {
  const auto = valueAt(config, "spec", "autoSizingReserved");
  const level = numberAt(config, "spec", "logLevel");
  const kubelet = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    ...objectAt(config, "spec", "kubeletConfig"),
  };
  const forbidden = ["cgroupDriver", "clusterDNS", "clusterDomain", "featureGates", "staticPodPath"].find(
    (member) => member in objectAt(config, "spec", "kubeletConfig"),
  );
  if (forbidden !== undefined)
    return {
      kind: "invalid",
      message: `user provided KubeletConfiguration contains forbidden field ${forbidden}`,
    };
  return {
    kind: "spec",
    spec: ignitionOf([
      { path: "/etc/kubernetes/kubelet.conf", text: `${JSON.stringify(kubelet, undefined, 2)}\n` },
      ...(typeof auto === "boolean"
        ? [
            {
              path: "/etc/node-sizing-enabled.env",
              text: `NODE_SIZING_ENABLED=${auto}\nSYSTEM_RESERVED_MEMORY=1Gi\nSYSTEM_RESERVED_CPU=500m\nSYSTEM_RESERVED_ES=1Gi\n`,
            },
          ]
        : []),
      ...(level === undefined
        ? []
        : [
            {
              path: "/etc/systemd/system/kubelet.service.d/20-logging.conf",
              text: `[Service]\nEnvironment="KUBELET_LOG_LEVEL=${level}"\n`,
            },
          ]),
    ]),
  };
}

const logLevels = ["error", "fatal", "panic", "warn", "info", "debug"];

/** Node configuration of a ContainerRuntimeConfig: drop-in files for CRI-O. */
export function containerRuntimeSpec(config: KubeObject): GeneratedSpec {
  const runtime = valueAt(config, "spec", "containerRuntimeConfig");
  const pidsLimit = numberAt(runtime, "pidsLimit");
  const logLevel = stringAt(runtime, "logLevel");
  const overlaySize = stringAt(runtime, "overlaySize");
  const defaultRuntime = stringAt(runtime, "defaultRuntime");
  if (pidsLimit !== undefined && pidsLimit > 0 && pidsLimit < 20)
    return { kind: "invalid", message: `invalid PidsLimit: ${pidsLimit}, cannot be less than 20` };
  if (logLevel !== undefined && !logLevels.includes(logLevel))
    return {
      kind: "invalid",
      message: `invalid LogLevel: ${logLevel}, must be one of error, fatal, panic, warn, info, or debug`,
    };
  const dropIn = (name: string, line: string) => ({
    path: `/etc/crio/crio.conf.d/01-ctrcfg-${name}`,
    text: `[crio]\n  [crio.runtime]\n    ${line}\n`,
  });
  return {
    kind: "spec",
    spec: ignitionOf([
      ...(overlaySize
        ? [{ path: "/etc/containers/storage.conf", text: `[storage.options]\nsize = "${overlaySize}"\n` }]
        : []),
      ...(logLevel ? [dropIn("logLevel", `log_level = "${logLevel}"`)] : []),
      ...(pidsLimit === undefined ? [] : [dropIn("pidsLimit", `pids_limit = ${pidsLimit}`)]),
      ...(defaultRuntime ? [dropIn("defaultRuntime", `default_runtime = "${defaultRuntime}"`)] : []),
    ]),
  };
}
