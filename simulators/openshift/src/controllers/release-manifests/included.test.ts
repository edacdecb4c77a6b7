import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { isIncluded } from "./included.ts";

const profile = { "include.release.openshift.io/self-managed-high-availability": "true" };

const rows: readonly {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly featureSet?: string;
  readonly overrides?: readonly unknown[];
  readonly included: boolean;
}[] = [
  { name: "of the cluster's profile", annotations: profile, included: true },
  { name: "without annotations", included: false },
  {
    name: "of a different profile",
    annotations: { "include.release.openshift.io/ibm-cloud-managed": "true" },
    included: false,
  },
  {
    name: "that the profile excludes",
    annotations: { ...profile, "exclude.release.openshift.io/self-managed-high-availability": "true" },
    included: false,
  },
  {
    name: "that a different profile excludes",
    annotations: { ...profile, "exclude.release.openshift.io/internal-openshift-hosted": "true" },
    included: true,
  },
  {
    name: "of enabled capabilities",
    annotations: { ...profile, "capability.openshift.io/name": "Console+openshift-samples" },
    included: true,
  },
  {
    name: "of a capability that is not enabled",
    annotations: { ...profile, "capability.openshift.io/name": "Console+baremetal" },
    included: false,
  },
  {
    name: "of other feature sets",
    annotations: {
      ...profile,
      "release.openshift.io/feature-set": "TechPreviewNoUpgrade,DevPreviewNoUpgrade",
    },
    included: false,
  },
  {
    name: "of the cluster's feature set",
    annotations: { ...profile, "release.openshift.io/feature-set": "Default,TechPreviewNoUpgrade" },
    featureSet: "TechPreviewNoUpgrade",
    included: true,
  },
  {
    name: "that an override makes unmanaged",
    annotations: profile,
    overrides: [{ group: "apps", kind: "Deployment", namespace: "a", name: "b", unmanaged: true }],
    included: false,
  },
  {
    name: "with an override for a different object",
    annotations: profile,
    overrides: [
      { group: "apps", kind: "Deployment", namespace: "a", name: "c", unmanaged: true },
      { group: "apps", kind: "Deployment", namespace: "a", name: "b", unmanaged: false },
      { group: "", kind: "Deployment", namespace: "a", name: "b", unmanaged: true },
    ],
    included: true,
  },
];

for (const { name, annotations, featureSet = "Default", overrides = [], included } of rows)
  test(`a manifest ${name} is ${included ? "applied" : "omitted"}`, () => {
    const object: KubeObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "a", name: "b", ...(annotations && { annotations }) },
    };
    const enabledCapabilities = ["Console", "openshift-samples"];
    assert.equal(isIncluded(object, { enabledCapabilities, featureSet, overrides }), included);
  });
