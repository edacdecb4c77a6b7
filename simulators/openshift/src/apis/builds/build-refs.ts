import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import type { ObjectKey } from "@keelson/kube";
import { namespaced } from "../../base/resources.ts";
import { joinedName } from "./joined-name.ts";

export const buildGroup = "build.openshift.io";
export const builds = namespaced(buildGroup, "v1", "builds", "Build");
export const buildConfigs = namespaced(buildGroup, "v1", "buildconfigs", "BuildConfig");

/** Label and annotation of builds with the name of their BuildConfig. The label is truncated. */
export const configLabel = "openshift.io/build-config.name";
/** Label and annotation of build pods with the name of their build. The label is truncated. */
export const buildLabel = "openshift.io/build.name";
export const numberAnnotation = "openshift.io/build.number";
/** Label of builds with the run policy of their BuildConfig. */
export const policyLabel = "openshift.io/build.start-policy";

/** Default of `successfulBuildsHistoryLimit` and `failedBuildsHistoryLimit`. */
export const defaultHistoryLimit = 5;

const terminal: ReadonlySet<string> = new Set(["Complete", "Failed", "Error", "Cancelled"]);

export function phaseOf(build: KubeObject | undefined): string {
  return stringAt(build, "status", "phase") || "New";
}

/** True if the build has ended. */
export function isTerminal(build: KubeObject | undefined): boolean {
  return terminal.has(phaseOf(build));
}

export function buildPodName({ metadata }: KubeObject): string {
  return joinedName(metadata.name, "build");
}

/** Returns the key of the build's BuildConfig. `undefined` for a build without a BuildConfig. */
export function configOf({ metadata }: Pick<KubeObject, "metadata">): ObjectKey | undefined {
  const { namespace = "", annotations, labels } = metadata;
  const name = annotations?.[configLabel] ?? labels?.[configLabel] ?? "";
  return name === "" ? undefined : { namespace, name };
}

/** Returns the number of a build in its BuildConfig. 0 for a build without a number. */
export function numberOf({ metadata }: Pick<KubeObject, "metadata">): number {
  const number = Number(metadata.annotations?.[numberAnnotation] ?? 0);
  return Number.isSafeInteger(number) ? number : 0;
}

/** True if the build does not wait for other builds of its BuildConfig. */
export function isParallel({ metadata }: Pick<KubeObject, "metadata">): boolean {
  return metadata.labels?.[policyLabel] === "Parallel";
}

/** Truncates a name until it is a valid label value. */
export function labelValue(name: string): string {
  return name.slice(0, 63).replace(/[^A-Za-z0-9]+$/, "");
}
