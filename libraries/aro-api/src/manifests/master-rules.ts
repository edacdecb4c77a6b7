import { bundleRules } from "./bundle-rules.ts";
import { clusterStatusRules } from "./cluster-status-rules.ts";
import { gatekeeperRules } from "./gatekeeper-rules.ts";
import { operatorNamespace } from "./operator-names.ts";
import { keeping, on, type PolicyRule, reading } from "./policy-rule.ts";

const rbac = "rbac.authorization.k8s.io";
const readerRoles = ["system:aro-sre", "system:aro-diagnostics"];

/**
 * What the master may do, where the original is cluster-admin: what its controllers name as their permissions, and no
 * more (a test of operators/aro compares both).
 */
export const masterRules: readonly PolicyRule[] = [
  on("aro.openshift.io", "clusters", reading),
  on("aro.openshift.io", "clusters", ["patch"], ["cluster"]),
  ...clusterStatusRules,
  // To set an owner that blocks its own deletion takes the right to hold that deletion up.
  on("aro.openshift.io", "clusters/finalizers", ["update"]),
  on("", "events", ["get", "create", "patch"]),
  on("", "nodes", [...reading, "patch"]),
  on("", "pods", [...reading, "delete"]),
  on("apps", "daemonsets deployments", ["list", "watch"]),

  on("config.openshift.io", "clusterversions proxies", reading),
  on("config.openshift.io", "clusteroperators", [...reading, "create", "patch"]),
  on("config.openshift.io", "clusteroperators/status", ["patch"]),
  on("config.openshift.io", "images", reading),
  on("config.openshift.io", "images", ["patch"], ["cluster"]),
  on("console.openshift.io", "consolenotifications", keeping),
  on("imageregistry.operator.openshift.io", "configs", reading),
  on("machineconfiguration.openshift.io", "kubeletconfigs machineconfigs", keeping),
  on("machineconfiguration.openshift.io", "machineconfigpools", reading),
  on("machineconfiguration.openshift.io", "machineconfigpools", ["patch"], ["worker"]),
  on("machineconfiguration.openshift.io", "machineconfigpools/finalizers", ["update"]),
  on("operator.openshift.io", "dnses networks", reading),
  on("preview.aro.openshift.io", "previewfeatures", reading),
  on("preview.aro.openshift.io", "previewfeatures/status", ["patch"]),
  on("policy.networking.k8s.io", "adminnetworkpolicies", keeping, ["aro-cco-deny-pprof"]),
  // The roles of SREs grant what the operator may not do itself.
  on(rbac, "clusterroles clusterrolebindings", [...reading, "create", "patch"], readerRoles),
  on(rbac, "clusterroles", ["escalate", "bind"], readerRoles),
  on(
    "admissionregistration.k8s.io",
    "validatingadmissionpolicies validatingadmissionpolicybindings",
    keeping,
  ),
  // What earlier versions left.
  ...gatekeeperRules,
  on("", "namespaces", [...reading, "delete"], ["openshift-azure-routefix"]),
  on(rbac, "clusterrolebindings", [...reading, "delete"], ["routefix"]),
  on("security.openshift.io", "securitycontextconstraints", [...reading, "delete"], ["privileged-routefix"]),
  ...bundleRules,
];

/** The same within single namespaces. */
export const masterRulesIn: Readonly<Record<string, readonly PolicyRule[]>> = {
  "kube-system": [on("", "secrets", reading, ["azure-credentials"])],
  [operatorNamespace]: [
    on("coordination.k8s.io", "leases", ["get", "create", "update"]),
    on("", "secrets", reading, ["cluster"]),
  ],
  "openshift-config": [
    on("", "configmaps", [...reading, "patch"], ["cloud-provider-config"]),
    on("", "secrets", keeping, ["pull-secret"]),
  ],
  "openshift-ingress-operator": [on("operator.openshift.io", "ingresscontrollers", [...reading, "patch"])],
  "openshift-machine-api": [
    on("machine.openshift.io", "controlplanemachinesets", [...reading, "delete"]),
    on("machine.openshift.io", "machinehealthchecks", keeping),
    on("machine.openshift.io", "machines machinesets", [...reading, "patch"]),
    on("monitoring.coreos.com", "prometheusrules", [...reading, "delete"]),
  ],
  "openshift-monitoring": [
    on("", "configmaps", [...reading, "create", "patch"], ["cluster-monitoring-config"]),
    on("", "persistentvolumeclaims", [...reading, "delete"]),
    on("", "secrets", [...reading, "patch"], ["alertmanager-main"]),
  ],
};
