import { builtinTypes, type KubeObject, type ResourceRef } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { errors } from "../../base/errors.ts";
import { findCustomKind } from "../../crds/openshift-crds.ts";
import { storedKinds } from "./stored-kinds.ts";

/** Finds the resource of an object. Its kind may be built-in, an OpenShift kind or defined in `crds`. */
export function resourceOf(object: KubeObject, crds: readonly KubeObject[]): ResourceRef {
  const { apiVersion, kind, metadata } = object;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const known =
    [...builtinTypes, ...storedKinds].find(
      (each) => each.group === group && each.version === version && each.kind === kind,
    ) ?? findCustomKind(apiVersion, kind);
  const resource = known?.plural ?? pluralIn(crds, group, version, kind);
  if (group === undefined || version === undefined || resource === undefined)
    throw errors.UnknownKind(
      `Manifest ${metadata.name}: the cluster serves no kind ${kind} in ${apiVersion}`,
    );
  return { group, version, resource };
}

function pluralIn(
  crds: readonly KubeObject[],
  group: string | undefined,
  version: string | undefined,
  kind: string,
): string | undefined {
  const crd = crds.find(
    (each) =>
      stringAt(each, "spec", "group") === group &&
      stringAt(each, "spec", "names", "kind") === kind &&
      listAt(each, "spec", "versions").some((served) => stringAt(served, "name") === version),
  );
  return stringAt(crd, "spec", "names", "plural");
}
