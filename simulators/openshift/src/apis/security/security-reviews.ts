import type { AggregatedResource, KubeObject } from "@keelson/apiserver";
import { recordAt } from "../../runtime/fields.ts";
import { constraintsFor } from "./pod-security.ts";

const group = "security.openshift.io";
const constraints = "SecurityContextConstraints";

/** Reviews that say under which constraints a pod would run, for the caller or for others: all get the same here. */
export const securityReviewResources: readonly AggregatedResource[] = [
  review("PodSecurityPolicyReview", "podsecuritypolicyreviews", ({ name, template }) => ({
    allowedServiceAccounts: [{ name: "default", allowedBy: { kind: constraints, name }, template }],
  })),
  review("PodSecurityPolicySelfSubjectReview", "podsecuritypolicyselfsubjectreviews", allowedBy),
  review("PodSecurityPolicySubjectReview", "podsecuritypolicysubjectreviews", allowedBy),
];

interface Verdict {
  /** Of the constraints. */
  readonly name: string;
  readonly template: Readonly<Record<string, unknown>>;
}

function allowedBy({ name, template }: Verdict): object {
  return { allowedBy: { kind: constraints, name }, template };
}

function review(kind: string, plural: string, statusOf: (verdict: Verdict) => object): AggregatedResource {
  return {
    group,
    version: "v1",
    kind,
    plural,
    namespaced: true,
    handlers: {
      create: async (_call, body): Promise<KubeObject> => {
        const template = recordAt(body, "spec", "template");
        const pod = { ...template, apiVersion: "v1", kind: "Pod", metadata: { name: "" } };
        const { apiVersion, metadata } = body;
        return {
          ...body,
          apiVersion,
          kind,
          metadata,
          status: statusOf({ name: constraintsFor(pod), template }),
        };
      },
    },
  };
}
