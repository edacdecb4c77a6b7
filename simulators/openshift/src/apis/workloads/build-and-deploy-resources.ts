import type { AggregatedResource } from "@keelson/apiserver";
import { buildColumns, buildConfigColumns } from "../builds/build-columns.ts";
import { textColumn } from "../columns.ts";

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

/** OpenShift's workload resources. DeploymentConfigs are stored, but nothing deploys them. */
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
    columns: buildConfigColumns,
  }),
  // Updates of a build also change its status, for example those of `oc cancel-build`.
  build("Build", "builds", { categories: ["all"], columns: buildColumns }),
];
