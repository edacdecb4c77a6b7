import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import type { FeatureSet } from "../release/feature-set.ts";
import { allReleaseCrds, releaseCrds } from "../release/release-crds.ts";
import { crdOf } from "./definition.ts";
import { openSchemaKinds } from "./facts.ts";

const openSchemaCrds = openSchemaKinds.map(crdOf);

/** Returns the CustomResourceDefinitions for a feature set. */
export function openShiftCrds(featureSet: FeatureSet): readonly KubeObject[] {
  return [...releaseCrds(featureSet), ...openSchemaCrds];
}

interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

let kinds: ReadonlyMap<string, CustomKind> | undefined;

/** Finds a custom resource kind of OpenShift in any feature set. */
export function findCustomKind(apiVersion: string, kind: string): CustomKind | undefined {
  kinds ??= new Map(
    [...allReleaseCrds(), ...openSchemaCrds]
      .flatMap(kindsOf)
      .map((each) => [`${each.group}/${each.version} ${each.kind}`, each]),
  );
  return kinds.get(`${apiVersion} ${kind}`);
}

function kindsOf(crd: KubeObject): readonly CustomKind[] {
  return listAt(crd, "spec", "versions").map((version) => ({
    group: stringAt(crd, "spec", "group") ?? "",
    version: stringAt(version, "name") ?? "",
    kind: stringAt(crd, "spec", "names", "kind") ?? "",
    plural: stringAt(crd, "spec", "names", "plural") ?? "",
  }));
}
