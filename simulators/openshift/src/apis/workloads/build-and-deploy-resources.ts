import type { AggregatedResource } from "@keelson/apiserver";
import { ageColumn, textColumn } from "../columns.ts";

const resource =
  (group: string) =>
  (kind: string, plural: string, details: Partial<AggregatedResource> = {}): AggregatedResource => ({
    group,
    version: "v1",
    kind,
    plural,
    namespaced: true,
    ...details,
  });

const apps = resource("apps.openshift.io");
const build = resource("build.openshift.io");

/** OpenShift's workload resources. The simulation stores them but does not build or deploy anything. */
export const buildAndDeployResources: readonly AggregatedResource[] = [
  apps("DeploymentConfig", "deploymentconfigs", {
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
  }),
  build("BuildConfig", "buildconfigs", {
    shortNames: ["bc"],
    categories: ["all"],
    status: true,
    columns: [
      textColumn("Type", ".spec.strategy.type"),
      textColumn("From", ".spec.source.type"),
      textColumn("Latest", ".status.lastVersion"),
    ],
  }),
  build("Build", "builds", {
    categories: ["all"],
    status: true,
    columns: [
      textColumn("Type", ".spec.strategy.type"),
      textColumn("From", ".spec.source.type"),
      textColumn("Status", ".status.phase"),
      ageColumn,
    ],
  }),
];
