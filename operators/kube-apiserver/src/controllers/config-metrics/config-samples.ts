import { stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

export type ConfigMetricName =
  | "cluster_infrastructure_provider"
  | "cluster_feature_set"
  | "cluster_proxy_enabled"
  | "cluster_controlplane_topology"
  | "cluster_infrastructure_topology";

export interface ConfigSample {
  readonly name: ConfigMetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: 0 | 1;
}

export interface ClusterConfiguration {
  readonly infrastructure: KubeObject | undefined;
  readonly featureGate: KubeObject | undefined;
  readonly proxy: KubeObject | undefined;
}

/** Returns the metric samples for the existing configuration objects. */
export function configSamples({
  infrastructure,
  featureGate,
  proxy,
}: ClusterConfiguration): readonly ConfigSample[] {
  return [
    ...(infrastructure ? infrastructureSamples(infrastructure) : []),
    ...(featureGate ? [featureSetSample(featureGate)] : []),
    ...(proxy ? proxySamples(proxy) : []),
  ];
}

function infrastructureSamples(infrastructure: KubeObject): readonly ConfigSample[] {
  const topology = (member: string) => stringAt(infrastructure, "status", member) ?? "";
  return [
    ...platformSamples(infrastructure),
    {
      name: "cluster_controlplane_topology",
      labels: { mode: topology("controlPlaneTopology") },
      value: 1,
    },
    {
      name: "cluster_infrastructure_topology",
      labels: { mode: topology("infrastructureTopology") },
      value: 1,
    },
  ];
}

function platformSamples(infrastructure: KubeObject): readonly ConfigSample[] {
  if (valueAt(infrastructure, "status", "platformStatus") === undefined) return [];
  const type = stringAt(infrastructure, "status", "platformStatus", "type") ?? "";
  const regionOf = (platform: string) =>
    stringAt(infrastructure, "status", "platformStatus", platform, "region");
  const region = type === "None" ? "" : (regionOf("aws") ?? regionOf("gcp") ?? "");
  const external =
    type === "External"
      ? (stringAt(infrastructure, "spec", "platformSpec", "external", "platformName") ?? "")
      : "";
  return [
    {
      name: "cluster_infrastructure_provider",
      labels: { type, region, external },
      value: type === "None" ? 0 : 1,
    },
  ];
}

function featureSetSample(featureGate: KubeObject): ConfigSample {
  const name = stringAt(featureGate, "spec", "featureSet") ?? "";
  return { name: "cluster_feature_set", labels: { name }, value: name === "" ? 1 : 0 };
}

function proxySamples(proxy: KubeObject): readonly ConfigSample[] {
  const isSet = {
    http: stringAt(proxy, "spec", "httpProxy"),
    https: stringAt(proxy, "spec", "httpsProxy"),
    trusted_ca: stringAt(proxy, "spec", "trustedCA", "name"),
  };
  return Object.entries(isSet).map(([type, value]) => ({
    name: "cluster_proxy_enabled",
    labels: { type },
    value: value ? 1 : 0,
  }));
}
