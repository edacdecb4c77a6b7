import { listAt, stringAt, valueAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";

/**
 * Resources that are not stored, such as reviews and bindings. A failing webhook that must approve them stops sign-in and
 * scheduling.
 */
const virtualResources: readonly (readonly [group: string, resource: string])[] = [
  ["", "bindings"],
  ["authorization.k8s.io", "localsubjectaccessreviews"],
  ["authorization.k8s.io", "selfsubjectaccessreviews"],
  ["authorization.k8s.io", "selfsubjectrulesreviews"],
  ["authorization.k8s.io", "subjectaccessreviews"],
  ["authorization.openshift.io", "localresourceaccessreviews"],
  ["authorization.openshift.io", "localsubjectaccessreviews"],
  ["authorization.openshift.io", "resourceaccessreviews"],
  ["authorization.openshift.io", "selfsubjectrulesreviews"],
  ["authorization.openshift.io", "subjectaccessreviews"],
  ["authorization.openshift.io", "subjectrulesreviews"],
];

/** Returns the condition that names webhooks for virtual resources. */
export function virtualResourceCondition(
  mutating: readonly KubeObject[],
  validating: readonly KubeObject[],
): Condition {
  const messages = [
    ...mutating.flatMap((each) => matches("Mutating", each)),
    ...validating.flatMap((each) => matches("Validating", each)),
  ];
  const type = "VirtualResourceAdmissionError";
  if (messages.length === 0) return { type, status: "False" };
  const message = messages.toSorted().join("\n");
  return { type, status: "True", reason: "AdmissionWebhookMatchesVirtualResource", message };
}

function matches(kind: string, configuration: KubeObject): readonly string[] {
  return listAt(configuration, "webhooks").flatMap((webhook) => {
    const found = virtualResources
      .filter(([group, resource]) =>
        listAt(webhook, "rules").some((rule) => ruleMatches(rule, group, resource)),
      )
      .map(([group, resource]) => `${resource}${group === "" ? "" : `.${group}`}/v1`)
      .sort();
    const subject = `${kind} webhook ${stringAt(webhook, "name") ?? ""} matches`;
    if (found.length === 0) return [];
    if (found.length > 1) return [`${subject} multiple virtual resources: ${found.join(", ")}.`];
    return [`${subject} a virtual resource ${found[0]}.`];
  });
}

/** True if the rule matches the resource or one of its subresources. */
function ruleMatches(rule: unknown, group: string, resource: string): boolean {
  const has = (member: string, value: string, read = (text: string) => text) =>
    listAt(rule, member).some((each) => typeof each === "string" && ["*", value].includes(read(each)));
  return (
    valueAt(rule, "resources") !== undefined &&
    has("apiGroups", group) &&
    has("apiVersions", "v1") &&
    has("resources", resource, (text) => text.split("/")[0] ?? "")
  );
}
