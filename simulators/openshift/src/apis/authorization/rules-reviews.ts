import type { AggregatedResource, KubeObject, PolicyRule, ResourceCall, User } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { scopeRules } from "./scope-rules.ts";

const group = "authorization.openshift.io";
/** Field of a user's extra data that contains the scopes of the token. */
const scopesKey = "scopes.authorization.openshift.io";

/**
 * Rules reviews of OpenShift. `oc policy can-i --list` creates them. They list a user's permissions in a namespace. Source:
 * openshift/openshift-apiserver `pkg/authorization/apiserver/registry/subjectrulesreview`.
 */
export function rulesReviewResources(context: ApiContext): readonly AggregatedResource[] {
  return [
    review(context, "SelfSubjectRulesReview", {
      subjectOf: ({ user }) => user,
      scopesOf: ({ user }, spec) => scopesIn(spec) ?? user.extra?.[scopesKey] ?? [],
      spec: { scopes: null },
    }),
    review(context, "SubjectRulesReview", {
      subjectOf: (_call, spec) => ({
        name: stringAt(spec, "user") ?? "",
        groups: listAt(spec, "groups").map(String),
      }),
      scopesOf: (_call, spec) => scopesIn(spec) ?? [],
      spec: { user: "", groups: null, scopes: null },
    }),
  ];
}

interface Rules {
  readonly subjectOf: (call: ResourceCall, spec: unknown) => User;
  readonly scopesOf: (call: ResourceCall, spec: unknown) => readonly string[];
  /** Spec of the response. OpenShift does not return the request's spec. */
  readonly spec: object;
}

function review(context: ApiContext, kind: string, { subjectOf, scopesOf, spec }: Rules): AggregatedResource {
  return {
    group,
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: true,
    handlers: {
      create: async (call, body): Promise<KubeObject> => {
        const { spec: asked } = body;
        const namespace = call.namespace ?? "";
        const status = await statusOf(context, subjectOf(call, asked), scopesOf(call, asked), namespace);
        return { kind, apiVersion: `${group}/v1`, metadata: { name: "" }, spec, status };
      },
    },
  };
}

async function statusOf(
  context: ApiContext,
  user: User,
  scopes: readonly string[],
  namespace: string,
): Promise<object> {
  const limit = scopes.length > 0 ? await scopeRules(context, scopes, namespace) : undefined;
  if (limit && limit.errors.length > 0) {
    // openshift-apiserver returns no rules and omits all other errors if a scope is invalid.
    return { rules: [], evaluationError: `Internal error occurred: ${listed(limit.errors)}` };
  }
  const { rules, missing, complete } = await context.logical.effectiveRules(user, namespace, limit?.rules);
  const errors = [
    ...missing,
    ...(complete ? [] : ["the user has too many rules. Only a part of them is listed"]),
  ];
  return {
    rules: rules.map(shown),
    ...(errors.length > 0 ? { evaluationError: listed(errors) } : {}),
  };
}

/** Formats error messages as Kubernetes formats an aggregate error. */
function listed(errors: readonly string[]): string {
  const [first = "", ...others] = errors;
  return others.length === 0 ? first : `[${errors.join(", ")}]`;
}

/** Converts a rule to OpenShift's format. */
function shown({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): object {
  return {
    verbs,
    attributeRestrictions: null,
    ...(apiGroups.length > 0 ? { apiGroups } : {}),
    resources,
    ...(resourceNames.length > 0 ? { resourceNames } : {}),
    ...(nonResourceURLs.length > 0 ? { nonResourceURLs } : {}),
  };
}

function scopesIn(spec: unknown): readonly string[] | undefined {
  return Array.isArray(valueAt(spec, "scopes")) ? listAt(spec, "scopes").map(String) : undefined;
}
