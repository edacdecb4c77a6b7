import type { AggregatedResource } from "@keelson/apiserver";
import { textColumn } from "../columns.ts";

/** DeploymentConfigs. They are stored, but nothing deploys them. */
export const deployResources: readonly AggregatedResource[] = [
  {
    group: "apps.openshift.io",
    version: "v1",
    kind: "DeploymentConfig",
    plural: "deploymentconfigs",
    namespaced: true,
    shortNames: ["dc"],
    mergeRules: { podTemplates: ["spec.template"] },
    categories: ["all"],
    status: true,
    scale: {},
    columns: [
      textColumn("Revision", ".status.latestVersion"),
      textColumn("Desired", ".spec.replicas"),
      textColumn("Current", ".status.replicas"),
      textColumn("Triggered By", ".spec.triggers[*].type"),
    ],
  },
];
