import { type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { stringify } from "yaml";
import { name, namespace } from "./names.ts";

/** Configuration of the managed upgrade operator. Durations are in minutes. */
const configuration = {
  configManager: { source: "LOCAL", localConfigName: "managed-upgrade-config", watchInterval: 15 },
  maintenance: {
    controlPlaneTime: 90,
    ignoredAlerts: { controlPlaneCriticals: ["ClusterOperatorDown", "ClusterOperatorDegraded"] },
  },
  upgradeType: "ARO",
  upgradeWindow: { delayTrigger: 30, timeOut: 120 },
  nodeDrain: { timeOut: 45, expectedNodeDrainTime: 8 },
  scale: { timeOut: 30 },
  healthCheck: {
    ignoredCriticals: ["PrometheusRuleFailures", "CannotRetrieveUpdates", "FluentdNodeDown"],
    ignoredNamespaces: [
      "openshift-logging",
      "openshift-redhat-marketplace",
      "openshift-operators",
      "openshift-user-workload-monitoring",
      "openshift-pipelines",
      "openshift-azure-logging",
    ],
  },
};

export const configurationMap: Manifest = manifest(
  resources.configMaps,
  { name: `${name}-config`, namespace },
  // The indentation matches ARO-RP's, so that existing clusters need no write.
  { data: { "config.yaml": stringify(configuration, { indentSeq: false }) } },
);
