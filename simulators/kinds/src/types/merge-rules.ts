import type { MergeRule } from "../catalogue/type-schema.ts";
import { factLines } from "./known-facts.ts";

/**
 * Merge keys of types that several kinds share, in the format of `TypeFacts`. Source: the `patchStrategy` and `patchMergeKey`
 * tags of kubernetes/api `{group}/v1/types.go` and of ObjectMeta.
 */
const shared = `
meta.v1.ObjectMeta finalizers= ownerReferences=uid
core.v1.Container env=name ports=containerPort volumeDevices=devicePath volumeMounts=mountPath
core.v1.EphemeralContainer env=name ports=containerPort volumeDevices=devicePath volumeMounts=mountPath
core.v1.PodSpec containers=name ephemeralContainers=name hostAliases=ip imagePullSecrets=name initContainers=name
core.v1.PodSpec resourceClaims=name+ schedulingGates=name topologySpreadConstraints=topologyKey volumes=name+
`;

/** Merge rules by `package.version.Type` and field, such as `core.v1.PodSpec.containers`. */
export const mergeRules: ReadonlyMap<string, MergeRule> = new Map(
  factLines("mergeKeys", shared).flatMap(([type, ...fields]) =>
    fields.map((text): [string, MergeRule] => {
      const [field = "", code = ""] = text.split("=");
      return [`${type}.${field}`, parseRule(field, code)];
    }),
  ),
);

function parseRule(field: string, code: string): MergeRule {
  const retainKeys = code.endsWith("+");
  const mergeKey = code.replace(/[+!]$/, "");
  const replace = code === "!";
  // The field `strategy` of a Deployment is the only object with retainKeys. All other fields are lists.
  const merge = !replace && field !== "strategy";
  return { ...(mergeKey ? { mergeKey } : {}), merge, retainKeys, replace };
}
