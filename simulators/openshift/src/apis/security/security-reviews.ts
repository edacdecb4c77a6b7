import type { AggregatedResource, KubeObject, ResourceCall, User } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { type SelectionDeps, selectConstraints, serviceAccountOf } from "./select-constraints.ts";

const group = "security.openshift.io";
const kindOfConstraints = "SecurityContextConstraints";

/** Returns the users of a review. The review considers only constraints that at least one of these users may use. */
type SubjectsOf = (review: Review) => readonly User[];

interface Review {
  readonly call: ResourceCall;
  readonly body: KubeObject;
  readonly pod: KubeObject;
  readonly namespace: string;
}

/**
 * Pod security reviews. Each review returns the constraints that would admit a pod of the caller, of a given user, or of service
 * accounts.
 */
export function securityReviewResources(deps: SelectionDeps): readonly AggregatedResource[] {
  return [
    review(
      "PodSecurityPolicySelfSubjectReview",
      subjectStatus(deps, ({ call, pod, namespace }) => [call.user, serviceAccountOf(pod, namespace)]),
    ),
    review(
      "PodSecurityPolicySubjectReview",
      subjectStatus(deps, ({ body, pod, namespace }) => {
        const user = namedUser(body);
        return [user ?? serviceAccountOf(pod, namespace)];
      }),
    ),
    review("PodSecurityPolicyReview", async (asked) => {
      const names = listAt(asked.body, "spec", "serviceAccountNames").map(String);
      const accounts = (names.length === 0 ? [serviceAccountNameOf(asked.pod)] : names).slice(
        0,
        mostAccounts,
      );
      const template = objectAt(asked.body, "spec", "template");
      const allowed = await Promise.all(
        accounts.map(async (name) => {
          const pod = { ...asked.pod, spec: { ...objectAt(asked.pod, "spec"), serviceAccountName: name } };
          const subject = serviceAccountOf(pod, asked.namespace);
          return { name, ...(await verdictOf(deps, { ...asked, pod }, [subject])), template };
        }),
      );
      return { allowedServiceAccounts: allowed };
    }),
  ];
}

/** Maximum number of service accounts per review. */
const mostAccounts = 100;

function subjectStatus(deps: SelectionDeps, subjectsOf: SubjectsOf) {
  return async (asked: Review): Promise<object> => {
    return {
      ...(await verdictOf(deps, asked, subjectsOf(asked))),
      template: objectAt(asked.body, "spec", "template"),
    };
  };
}

async function verdictOf(
  deps: SelectionDeps,
  { pod, namespace }: Review,
  subjects: readonly User[],
): Promise<object> {
  const selection = await selectConstraints(deps, pod, namespace, subjects);
  return selection.kind === "admitted"
    ? { allowedBy: { kind: kindOfConstraints, name: selection.name } }
    : {
        reason: `unable to validate against any security context constraint: [${selection.reasons.join(", ")}]`,
      };
}

function namedUser(body: KubeObject): User | undefined {
  const name = stringAt(body, "spec", "user") ?? "";
  const groups = listAt(body, "spec", "groups").map(String);
  return name === "" && groups.length === 0 ? undefined : { name, groups };
}

function serviceAccountNameOf(pod: KubeObject): string {
  return stringAt(pod, "spec", "serviceAccountName") || "default";
}

function review(kind: string, statusOf: (review: Review) => Promise<object>): AggregatedResource {
  return {
    group,
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: true,
    handlers: {
      create: async (call, body): Promise<KubeObject> => {
        const { apiVersion, metadata } = body;
        const namespace = call.namespace ?? "";
        const spec = objectAt(body, "spec", "template", "spec");
        const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "", namespace }, spec };
        return {
          ...body,
          apiVersion,
          kind,
          metadata,
          status: await statusOf({ call, body, pod, namespace }),
        };
      },
    },
  };
}
