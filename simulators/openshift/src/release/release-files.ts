import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { stringMapAt } from "../base/fields.ts";
import { crdManifestOf, featureSetAnnotation, featureSetsOf } from "./crd-manifest.ts";
import { type SharedParts, shareParts } from "./shared-parts.ts";

/** Names of enabled and disabled feature gates by feature set. */
export type GatesBySet = Readonly<
  Record<string, { readonly enabled: readonly string[]; readonly disabled: readonly string[] }>
>;

/**
 * Generates the data files of a release from its manifests. Returns the contents by file name: one file per CRD and one file for
 * all feature gates.
 */
export function releaseFiles(manifests: readonly unknown[]): ReadonlyMap<string, string> {
  const crds = Map.groupBy(
    manifests.flatMap((each) => crdManifestOf(each) ?? []),
    ({ metadata }) => metadata.name,
  );
  const gates = gatesOf(manifests);
  return new Map([
    ...[...crds].map(([name, variants]): [string, string] => [`crds/${name}.json`, crdFile(name, variants)]),
    ...(Object.keys(gates).length > 0
      ? [["feature-gates.json", `${JSON.stringify(gates, null, 2)}\n`] as const]
      : []),
  ]);
}

/** Returns the data file of a CRD. It has one part or manifest per line, so that changes produce a readable diff. */
function crdFile(name: string, variants: readonly KubeObject[]): string {
  const texts = new Set(variants.map((each) => JSON.stringify(each)));
  const distinct = [...texts].toSorted().map((text): KubeObject => JSON.parse(text));
  const taken = distinct.flatMap((each) => featureSetsOf(each));
  if (new Set(taken).size < taken.length || (taken.includes("all") && taken.length > 1))
    throw new TypeError(`${name}: two manifests differ and are for one feature set: ${taken.join(", ")}`);
  const { parts, values }: SharedParts = shareParts(distinct);
  const lines = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).join(",\n");
  return `{"parts":[\n${lines(parts)}\n],"values":[\n${lines(values)}\n]}\n`;
}

function gatesOf(manifests: readonly unknown[]): GatesBySet {
  const found = manifests
    .filter((each) => stringAt(each, "kind") === "FeatureGate")
    .map((each) => {
      const set = stringMapAt(each, "metadata", "annotations")[featureSetAnnotation] ?? "";
      const names = (member: string) =>
        listAt(each, "status", "featureGates", 0, member)
          .flatMap((gate) => stringAt(gate, "name") ?? [])
          .toSorted();
      return [set, { enabled: names("enabled"), disabled: names("disabled") }] as const;
    });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
