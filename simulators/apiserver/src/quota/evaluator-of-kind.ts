import { builtinKinds, type Evaluator, type Kind, kindOf, objectCountName } from "@keelson/kinds";
import { bucketOf } from "../resources/served-resource.ts";

/** Returns the group and plural of kinds that a quota's resource name may limit. */
export function kindsTracking(name: string): readonly (readonly [group: string, plural: string])[] {
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  if (counted) return [[counted[2] ?? "", counted[1] ?? ""]];
  return builtinKinds
    .filter(({ plural, quota }) =>
      quota === "named" ? plural === name : isEvaluator(quota) && quota.tracks(name),
    )
    .map(({ group, plural }) => [group, plural]);
}

export function evaluatorFor(group: string, plural: string): Evaluator | undefined {
  const quota = kindOf(bucketOf(group, plural))?.quota;
  if (quota === "none") return undefined;
  if (isEvaluator(quota)) return quota;
  const count = objectCountName(group, plural);
  return { tracks: (name) => name === count || (quota === "named" && name === plural) };
}

function isEvaluator(quota: Kind["quota"]): quota is Evaluator {
  return typeof quota === "object";
}
