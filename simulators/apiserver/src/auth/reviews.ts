import { failures, fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, stringsAt, valueAt } from "@keelson/base";
import type { Attributes } from "./attributes.ts";
import type { Authenticator } from "./authenticator.ts";
import { sizeOf } from "./policy-rule.ts";
import type { Decision, RbacAuthorizer } from "./rbac.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";
import { type User, userInfo } from "./user.ts";

interface ReviewDeps {
  readonly authorizer: RbacAuthorizer;
  readonly authenticator: Authenticator;
  readonly tokens: ServiceAccountTokens;
}

/** Review request. */
interface Asked {
  readonly user: User;
  /** Namespace in the URL. */
  readonly namespace: string | undefined;
  readonly body: unknown;
}

type Response = Readonly<Record<string, unknown>>;
type Review = (deps: ReviewDeps, asked: Asked) => Response | Promise<Response>;

const authorization = "authorization.k8s.io";

/** Returns the handler of a review kind (access, rules, token, self-subject), or undefined for other resources. */
export function reviewOf(group: string, resource: string): Review | undefined {
  return reviews[`${resource}.${group}`];
}

const reviews: Readonly<Record<string, Review>> = {
  "selfsubjectaccessreviews.authorization.k8s.io": async ({ authorizer }, { user, body }) => {
    check(attributeCauses(body));
    return {
      spec: objectAt(body, "spec"),
      status: accessStatus(await authorizer.decide(user, attributesOf(body))),
    };
  },
  "subjectaccessreviews.authorization.k8s.io": async ({ authorizer }, { body }) => {
    check([...attributeCauses(body), ...subjectCauses(body)]);
    return {
      spec: objectAt(body, "spec"),
      status: accessStatus(await authorizer.decide(subjectOf(body), attributesOf(body))),
    };
  },
  "localsubjectaccessreviews.authorization.k8s.io": async ({ authorizer }, { namespace = "", body }) => {
    check([...attributeCauses(body), ...subjectCauses(body), ...localCauses(body, namespace)]);
    return {
      spec: objectAt(body, "spec"),
      status: accessStatus(await authorizer.decide(subjectOf(body), attributesOf(body))),
    };
  },
  "selfsubjectrulesreviews.authorization.k8s.io": ({ authorizer }, { user, body }) => {
    const namespace = scalarStringAt(body, "spec", "namespace");
    if (!namespace) throw failures.badRequest("no namespace on request");
    return { spec: objectAt(body, "spec"), status: rulesStatus(authorizer.rulesOf(user, namespace)) };
  },
  "selfsubjectreviews.authentication.k8s.io": (_deps, { user }) => ({
    status: { userInfo: userInfo(user) },
  }),
  "tokenreviews.authentication.k8s.io": reviewToken,
};

/** Rejects an invalid review. Like kube-apiserver's message, the error message does not name the kind. */
function check(causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw failures.invalid({ group: authorization, kind: "" }, "", causes);
}

/** Status of an access review. An empty reason is omitted. */
function accessStatus({ allowed, reason }: Decision): Response {
  return { allowed, ...(reason ? { reason } : {}) };
}

function attributeCauses(body: unknown): readonly StatusCause[] {
  const resource = valueAt(body, "spec", "resourceAttributes");
  const path = valueAt(body, "spec", "nonResourceAttributes");
  if (resource !== undefined && path !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    return [fieldError.invalid("spec.nonResourceAttributes", path, why)];
  }
  if (resource !== undefined || path !== undefined) return [];
  const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [fieldError.invalid("spec.resourceAttributes", null, why)];
}

function subjectCauses(body: unknown): readonly StatusCause[] {
  if (scalarStringAt(body, "spec", "user") || stringsAt(body, "spec", "groups").length > 0) return [];
  return [fieldError.invalid("spec.user", "", "at least one of user or group must be specified")];
}

function localCauses(body: unknown, namespace: string): readonly StatusCause[] {
  if (valueAt(body, "spec", "nonResourceAttributes") !== undefined) {
    return [fieldError.invalid("spec.nonResourceAttributes", null, "disallowed on this kind of request")];
  }
  const asked = scalarStringAt(body, "spec", "resourceAttributes", "namespace");
  if (asked === namespace) return [];
  return [fieldError.invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace")];
}

function subjectOf(body: unknown): User {
  const uid = scalarStringAt(body, "spec", "uid");
  const extra = objectAt(body, "spec", "extra");
  return {
    name: scalarStringAt(body, "spec", "user"),
    groups: stringsAt(body, "spec", "groups"),
    ...(uid ? { uid } : {}),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, stringsAt(extra, key)])),
  };
}

function attributesOf(body: unknown): Attributes {
  const path = valueAt(body, "spec", "nonResourceAttributes");
  if (path !== undefined)
    return { kind: "path", verb: scalarStringAt(path, "verb"), path: scalarStringAt(path, "path") };
  const asked = valueAt(body, "spec", "resourceAttributes");
  const subresource = scalarStringAt(asked, "subresource");
  return {
    kind: "resource",
    verb: scalarStringAt(asked, "verb"),
    group: scalarStringAt(asked, "group"),
    resource: scalarStringAt(asked, "resource") + (subresource ? `/${subresource}` : ""),
    namespace: scalarStringAt(asked, "namespace"),
    name: scalarStringAt(asked, "name"),
  };
}

/** Maximum number of rule entries in one response. */
const maxListed = 20_000;

function rulesStatus({ rules: all, missing }: ReturnType<RbacAuthorizer["rulesOf"]>): Response {
  let listed = 0;
  const end = all.findIndex((rule) => {
    listed += sizeOf(rule);
    return listed > maxListed;
  });
  const rules = end < 0 ? all : all.slice(0, end);
  const errors = end < 0 ? missing : [...missing, `only the first ${end} of ${all.length} rules are listed`];
  return {
    resourceRules: rules
      .filter((rule) => rule.resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length > 0 ? { resourceNames } : {}),
      })),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    // Missing roles do not make the list incomplete, as in kube-apiserver's RBAC authorizer.
    incomplete: end >= 0,
    ...(errors.length > 0 ? { evaluationError: aggregated(errors) } : {}),
  };
}

/** Returns the message of several errors in the form of Kubernetes' aggregates. */
function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
}

/**
 * Handles a TokenReview: validates the token and returns the review's status.
 * @throws StatusError 400 if the review has no token
 */
async function reviewToken({ authenticator, tokens }: ReviewDeps, { body }: Asked): Promise<Response> {
  const token = scalarStringAt(body, "spec", "token");
  if (!token) throw failures.badRequest("token is required for TokenReview in authentication");
  const asked = stringsAt(body, "spec", "audiences");
  const verdict = await authenticator.judgeToken(token, asked.length > 0 ? asked : [tokens.issuer]);
  const status =
    verdict?.kind === "accepted"
      ? { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences }
      : { user: {}, error: verdict ? `[invalid bearer token, ${verdict.why}]` : "invalid bearer token" };
  // The response does not contain the token.
  return { spec: asked.length > 0 ? { audiences: asked } : {}, status };
}
