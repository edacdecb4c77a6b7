import { on, type PolicyRule, reading } from "@keelson/aro-api";

/** CustomResourceDefinitions of Gatekeeper, which earlier releases of ARO-RP deployed. */
export const gatekeeperDefinitions: readonly string[] = [
  "assign.mutations",
  "assignimage.mutations",
  "assignmetadata.mutations",
  "configpodstatuses.status",
  "configs.config",
  "constraintpodstatuses.status",
  "constrainttemplatepodstatuses.status",
  "constrainttemplates.templates",
  "expansiontemplate.expansion",
  "expansiontemplatepodstatuses.status",
  "modifyset.mutations",
  "mutatorpodstatuses.status",
  "providers.externaldata",
  "syncsets.syncset",
].map((each) => `${each}.gatekeeper.sh`);

const rbac = "rbac.authorization.k8s.io";
const webhooks = "admissionregistration.k8s.io";
const removing = ["get", "delete"];

/** Permissions for removing Gatekeeper. */
export const gatekeeperRules: readonly PolicyRule[] = [
  on("", "namespaces", [...reading, "delete"], ["openshift-azure-guardrails"]),
  on(webhooks, "validatingwebhookconfigurations", removing, ["gatekeeper-validating-webhook-configuration"]),
  on(webhooks, "mutatingwebhookconfigurations", removing, ["gatekeeper-mutating-webhook-configuration"]),
  on(rbac, "clusterrolebindings", removing, ["gatekeeper-manager-rolebinding"]),
  on(rbac, "clusterroles", removing, ["gatekeeper-manager-role"]),
  on("apiextensions.k8s.io", "customresourcedefinitions", removing, gatekeeperDefinitions),
];
