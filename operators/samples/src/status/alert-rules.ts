import { apiVersionOf, type KubeObject, resources } from "@keelson/kube";
import { clusterOperatorName, contentNamespace, operatorNamespace } from "../resources/resources.ts";
import { metricNames } from "./samples-metrics.ts";

interface AlertRule {
  readonly alert: string;
  /** PromQL. */
  readonly expr: string;
  /** Time for which the expression must be true before the alert fires. */
  readonly for: "2h" | "2d";
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly description: string };
}

// These expressions compare the retries of each stream separately. A stream without retries is therefore detected although other
// streams are retried. A restart of the operator resets the counters and must not cause an alert.
const failing = `max by (name) (${metricNames.failing}) > 0`;
const retried = `label_replace(sum by (imagestreamname) (increase(${metricNames.retries}[30m])) > 0, "name", "$1", "imagestreamname", "(.+)")`;
const failingUnretried = `${failing} unless on (name) ${retried}`;
const failingRetried = `${failing} and on (name) ${retried}`;
/**
 * Returns a template that prints the names of the streams in the result of `query`. The query is in backquotes, because
 * expressions contain quotes.
 */
const names = (query: string) => `{{ range query \`${query}\` }} {{ .Labels.name }}{{ end }}`;

const importing = { severity: "warning", namespace: operatorNamespace } as const;
const warning = { severity: "warning" } as const;
const seeOperator = `See \`oc get clusteroperator ${clusterOperatorName} -o yaml\``;

/** Alert rules. Clusters route alerts by the names, severities and durations of these rules. */
export const alertRules: readonly AlertRule[] = [
  {
    alert: "SamplesRetriesMissingOnImagestreamImportFailing",
    expr: `count(${failingUnretried})`,
    for: "2h",
    labels: importing,
    annotations: {
      summary: "Images of samples cannot be imported, and imports are not retried.",
      description: `Imports of {{ $value }} imagestreams of namespace ${contentNamespace} fail, and the samples operator has not retried them for 30 minutes:${names(failingUnretried)}\n${seeOperator} and the log of the operator for the reason.`,
    },
  },
  {
    alert: "SamplesImagestreamImportFailing",
    expr: `count(${failingRetried})`,
    for: "2h",
    labels: importing,
    annotations: {
      summary: "Images of samples cannot be imported.",
      description: `Imports of {{ $value }} imagestreams of namespace ${contentNamespace} fail repeatedly:${names(failingRetried)}\nThe ConfigMaps of these names in namespace ${operatorNamespace} contain the registry's messages. Add unneeded samples to \`skippedImagestreams\` of Config \`cluster\`, or set its \`managementState\` to \`Removed\`.`,
    },
  },
  {
    alert: "SamplesDegraded",
    expr: `${metricNames.degraded} == 1`,
    for: "2h",
    labels: warning,
    annotations: {
      summary: "The samples operator is degraded.",
      description: `Samples cannot be installed. ${seeOperator} for the reason.`,
    },
  },
  {
    alert: "SamplesInvalidConfig",
    expr: `${metricNames.invalidConfig} == 1`,
    for: "2h",
    labels: warning,
    annotations: {
      summary: "The configuration of the samples operator is invalid.",
      description:
        "The condition ConfigurationValid of `oc get configs.samples.operator.openshift.io cluster -o yaml` has the reason.",
    },
  },
  {
    alert: "SamplesMissingSecret",
    expr: `${metricNames.invalidSecret}{reason="missing_secret"} == 1`,
    for: "2h",
    labels: warning,
    annotations: {
      summary: "The samples operator has no credentials.",
      description:
        "The condition ImportCredentialsExist of `oc get configs.samples.operator.openshift.io cluster -o yaml` is not True.",
    },
  },
  {
    alert: "SamplesMissingTBRCredential",
    expr: `${metricNames.invalidSecret}{reason="missing_tbr_credential"} == 1`,
    for: "2h",
    labels: warning,
    annotations: {
      summary: "The cluster has no credentials of registry.redhat.io.",
      description:
        "Secret `pull-secret` of namespace openshift-config has no credentials of registry.redhat.io, so most samples cannot be imported. Add them, or set `samplesRegistry` of Config `cluster` to a registry without authentication.",
    },
  },
  {
    alert: "SamplesTBRInaccessibleOnBoot",
    expr: `${metricNames.unreachable} == 1`,
    for: "2d",
    labels: { severity: "info" },
    annotations: {
      summary: "Samples started as Removed because registry.redhat.io was unreachable.",
      description: `This is expected in a network without internet access. To install samples there, copy the images in ConfigMap \`imagestreamtag-to-image\` of namespace ${operatorNamespace} to a reachable registry, set \`samplesRegistry\` of Config \`cluster\` to it, and \`managementState\` to \`Managed\`.`,
    },
  },
];

/** PrometheusRule with the alerts of the samples operator. The cluster-version operator installs it. */
export const samplesAlerts: KubeObject = {
  apiVersion: apiVersionOf(resources.prometheusRules),
  kind: resources.prometheusRules.kind,
  metadata: {
    name: "samples-operator-alerts",
    namespace: operatorNamespace,
    labels: { name: "samples-operator-alerts" },
    annotations: {
      "capability.openshift.io/name": "openshift-samples",
      "include.release.openshift.io/ibm-cloud-managed": "true",
      "include.release.openshift.io/self-managed-high-availability": "true",
    },
  },
  spec: { groups: [{ name: "SamplesOperator", rules: alertRules }] },
};
