import type { AggregatedResource } from "@keelson/apiserver";
import { buildColumns, buildConfigColumns } from "./build-columns.ts";
import { buildGroup } from "./build-refs.ts";

/** Builds and BuildConfigs without their subresources. */
export const buildResources: readonly AggregatedResource[] = [
  {
    group: buildGroup,
    version: "v1",
    kind: "BuildConfig",
    plural: "buildconfigs",
    namespaced: true,
    shortNames: ["bc"],
    categories: ["all"],
    status: true,
    columns: buildConfigColumns,
  },
  // Builds have no status subresource. An update of a build, for example by `oc cancel-build`, can also change its status.
  {
    group: buildGroup,
    version: "v1",
    kind: "Build",
    plural: "builds",
    namespaced: true,
    categories: ["all"],
    columns: buildColumns,
  },
];
