import type { AggregatedResource, KubeObject, ResourceCall, User } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { failures } from "../failures.ts";
import { type SelectionDeps, selectConstraints, serviceAccountOf } from "./select-constraints.ts";

const group = "security.openshift.io";
const kindOfConstraints = "SecurityContextConstraints";

/**
 * Returns the users of a review. The review considers only constraints that at least one of these users may use. Without users, it
 * considers all constraints.
 */
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
      subjectStatus(deps, ({ call, pod, namespace }) => [call.user, ...namedAccount(pod, namespace)]),
    ),
    review(
      "PodSecurityPolicySubjectReview",
      subjectStatus(deps, ({ body, pod, namespace }) => [
        ...namedUser(body),
        ...namedAccount(pod, namespace),
      ]),
    ),
    review("PodSecurityPolicyReview", async (asked) => {
      const names = listAt(asked.body, "spec", "serviceAccountNames").map(String);
      const accounts = (names.length === 0 ? [serviceAccountNameOf(asked.pod)] : names).slice(
        0,
        mostAccounts,
      );
      for (const name of accounts) await requireAccount(deps, asked.namespace, name);
      const template = objectAt(asked.body, "spec", "template");
      const allowed: object[] = [];
      for (const name of accounts) {
        const pod = { ...asked.pod, spec: { ...objectAt(asked.pod, "spec"), serviceAccountName: name } };
        const subject = serviceAccountOf(pod, asked.namespace);
        allowed.push({ name, ...(await verdictOf(deps, { ...asked, pod }, [subject])), template });
      }
      return { allowedServiceAccounts: allowed };
    }),
  ];
}

/** @throws StatusError 400 if the service account does not exist */
async function requireAccount({ client }: SelectionDeps, namespace: string, name: string): Promise<void> {
  if (await client.find(resources.serviceAccounts, { namespace, name })) return;
  throw failures.badRequest(`unable to retrieve ServiceAccount ${name}: serviceaccount "${name}" not found`);
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

function namedUser(body: KubeObject): readonly User[] {
  const name = stringAt(body, "spec", "user") ?? "";
  const groups = listAt(body, "spec", "groups").map(String);
  return name === "" && groups.length === 0 ? [] : [{ name, groups }];
}

/** Returns the service account of the pod if the pod names one. The default account is not considered. */
function namedAccount(pod: KubeObject, namespace: string): readonly User[] {
  return stringAt(pod, "spec", "serviceAccountName") ? [serviceAccountOf(pod, namespace)] : [];
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
