import { keeping, on, type PolicyRule } from "./policy-rule.ts";

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
];
