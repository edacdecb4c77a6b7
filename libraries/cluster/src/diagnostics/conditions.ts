import { boundedText, listAt, stringAt } from "@keelson/base";
import { conditionStatus, findCondition, type KubeObject } from "@keelson/kube";

/**
 * Maximum number of conditions per object. The limit is necessary, because the cluster's administrators control the number of
 * conditions.
 */
const maxConditions = 50;
const maxText = 1_000;

/** Status of each condition type on a healthy object such as a ClusterOperator. */
const healthy: Readonly<Record<string, string>> = { Available: "True", Degraded: "False" };

/** Returns the conditions of an object for log lines. */
export function conditionFacts(object: KubeObject): readonly Readonly<Record<string, string>>[] {
  return listAt(object, "status", "conditions")
    .slice(0, maxConditions)
    .map((each) =>
      Object.fromEntries(
        ["type", "status", "reason", "message"].flatMap((member) => {
          const text = stringAt(each, member);
          return text ? [[member, boundedText(text, maxText)]] : [];
        }),
      ),
    );
}

/** Returns an object's problem in the form `Available=False: reason`. Undefined for a healthy object. */
export function complaint(object: KubeObject): string | undefined {
  const wrong = Object.entries(healthy).find(([type, wanted]) => {
    const status = conditionStatus(object, type);
    return status === undefined ? type === "Available" : status !== wanted;
  });
  if (!wrong) return undefined;
  const [type] = wrong;
  const condition = findCondition(object, type);
  if (!condition) return `${type} is not known yet`;
  const why = stringAt(condition, "message") || stringAt(condition, "reason");
  return boundedText(`${type}=${stringAt(condition, "status")}${why ? `: ${why}` : ""}`, maxText);
}
