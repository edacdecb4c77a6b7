import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { namespaced } from "../../base/resources.ts";

export const buildGroup = "build.openshift.io";
export const builds = namespaced(buildGroup, "v1", "builds", "Build");
export const buildConfigs = namespaced(buildGroup, "v1", "buildconfigs", "BuildConfig");

/** Label of builds with the name of their BuildConfig. */
export const configLabel = "openshift.io/build-config.name";
/** Label of build pods with the name of their build. */
export const buildLabel = "openshift.io/build.name";
export const numberAnnotation = "openshift.io/build.number";

const terminal: ReadonlySet<string> = new Set(["Complete", "Failed", "Error", "Cancelled"]);

export function phaseOf(build: KubeObject | undefined): string {
  return stringAt(build, "status", "phase") || "New";
}

/** True if the build has ended. */
export function isTerminal(build: KubeObject | undefined): boolean {
  return terminal.has(phaseOf(build));
}

export function buildPodName({ metadata }: KubeObject): string {
  return `${metadata.name}-build`;
}
