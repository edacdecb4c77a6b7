import type { Gauge } from "@keelson/base";
import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { operatorMetric } from "@keelson/operator-kit";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { type ConfigMetricName, configSamples } from "./config-samples.ts";

const inputs = [resources.infrastructures, resources.featureGates, resources.proxies];

type ConfigLabels = Readonly<Record<string, string>>;

const configMetrics = operatorMetric((metrics) => {
  const gauge = (name: ConfigMetricName, help: string, labels: readonly string[]) => ({
    gauge: metrics.gauge({ name, help, labels }) as Gauge<string>,
    /** Label sets for which the gauge currently has a value. */
    present: new Map<string, ConfigLabels>(),
  });
  return {
    cluster_infrastructure_provider: gauge(
      "cluster_infrastructure_provider",
      "1 for the platform of the cluster, 0 without a platform",
      ["type", "region", "external"],
    ),
    cluster_feature_set: gauge(
      "cluster_feature_set",
      "1 for the feature set of the cluster if it is supported",
      ["name"],
    ),
    cluster_proxy_enabled: gauge("cluster_proxy_enabled", "1 if the cluster has a proxy of this type", [
      "type",
    ]),
    cluster_controlplane_topology: gauge(
      "cluster_controlplane_topology",
      "1 for the control plane topology",
      ["mode"],
    ),
    cluster_infrastructure_topology: gauge(
      "cluster_infrastructure_topology",
      "1 for the infrastructure topology",
      ["mode"],
    ),
  } satisfies Record<ConfigMetricName, unknown>;
});

/** Exports the cluster's configuration as metrics. OpenShift's alert about technology previews uses these metrics. */
export const configurationMetrics = kubeApiServerController({
  name: "ConfigMetrics",
  watches: inputWatches(inputs.map((resource) => clusterInput(resource))),
  // The metrics are exported in every management state of the operator.
  always: true,
  async reconcile({ parts: { cache, metrics } }) {
    const [infrastructure, featureGate, proxy] = inputs.map(
      (resource) => cache.known(resource, singleton)?.object,
    );
    const samples = configSamples({ infrastructure, featureGate, proxy });
    for (const [name, { gauge, present }] of Object.entries(configMetrics(metrics))) {
      const wanted = samples.filter((sample) => sample.name === name);
      const keys = new Set(wanted.map(({ labels }) => JSON.stringify(labels)));
      for (const [key, labels] of present)
        if (!keys.has(key)) {
          gauge.remove(labels);
          present.delete(key);
        }
      for (const { labels, value } of wanted) {
        gauge.set(value, labels);
        present.set(JSON.stringify(labels), labels);
      }
    }
    return done;
  },
});
