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
  // Updates of a build also change its status, for example those of `oc cancel-build`.
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
