import { keeping, on, type PolicyRule, reading } from "./policy-rule.ts";

const rbac = "rbac.authorization.k8s.io";
/** To grant rights that the operator lacks itself. */
const granting = [...keeping, "escalate", "bind"];

/** What the master may do with the objects of the bundles that it deploys, each by its name: their namespaces are of its making. */
export const bundleRules: readonly PolicyRule[] = [
  // The managed upgrade operator.
  on("apiextensions.k8s.io", "customresourcedefinitions", keeping, [
    "upgradeconfigs.upgrade.managed.openshift.io",
  ]),
  on("", "namespaces", keeping, ["openshift-managed-upgrade-operator"]),
  on("", "serviceaccounts", keeping, ["managed-upgrade-operator"]),
  on("", "configmaps", keeping, ["managed-upgrade-operator-config", "trusted-ca-bundle"]),
  on("apps", "deployments", keeping, ["managed-upgrade-operator"]),
  on("monitoring.coreos.com", "prometheusrules", keeping, ["sre-managed-upgrade-operator-alerts"]),
  on(rbac, "clusterroles", granting, ["managed-upgrade-operator"]),
  on(rbac, "clusterrolebindings", keeping, ["managed-upgrade-operator"]),
  ...[
    "managed-upgrade-operator",
    "prometheus-k8s",
    "muo-monitoring-reader",
    "muo-monitoring-interactor",
    "muo-pullsecret-reader",
  ].flatMap((name) => [on(rbac, "roles", granting, [name]), on(rbac, "rolebindings", keeping, [name])]),
  // The export of logs, and what earlier versions deployed for it.
  on("", "namespaces", keeping, ["openshift-azure-logging"]),
  on("", "serviceaccounts", keeping, ["geneva"]),
  on("", "configmaps", keeping, ["otel-config", "fluent-config", "gateway-ca"]),
  on("", "secrets", keeping, ["certificates"]),
  on("apps", "daemonsets", keeping, ["otel-exporter-master", "otel-exporter-worker", "mdsd"]),
  on("monitoring.coreos.com", "podmonitors", keeping, ["otel-exporter"]),
  on("monitoring.coreos.com", "prometheusrules", keeping, ["otel-exporter-alerts"]),
  on("security.openshift.io", "securitycontextconstraints", keeping, ["privileged-genevalogging"]),
  on("security.openshift.io", "securitycontextconstraints", reading, ["privileged"]),
];
