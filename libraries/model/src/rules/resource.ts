import { clusterResourceType } from "@keelson/arm";
import { invalid, type Rule, textRule } from "./rule.ts";

/** ID, name, type and location of the resource must match the URL. */
export const resourceRules: readonly Rule[] = [
  textRule("id", (id, target, { url }) =>
    same(id, url.id)
      ? undefined
      : {
          code: "MismatchingResourceID",
          target,
          message: `The provided resource ID '${id}' did not match the name in the Url '${url.id}'.`,
        },
  ),
  textRule("name", (name, target, { url }) =>
    same(name, url.name)
      ? undefined
      : {
          code: "MismatchingResourceName",
          target,
          message: `The provided resource name '${name}' did not match the name in the Url '${url.name}'.`,
        },
  ),
  textRule("type", (type, target) =>
    same(type, clusterResourceType)
      ? undefined
      : {
          code: "MismatchingResourceType",
          target,
          message: `The provided resource type '${type}' did not match the name in the Url '${clusterResourceType}'.`,
        },
  ),
  textRule("location", (location, target, rp) =>
    same(location, rp.location)
      ? undefined
      : invalid(target, `The provided location '${location}' is invalid.`),
  ),
];

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
