import { recordAt, textAt, textsAt, valueAt } from "../json/access.ts";
import { failures } from "../status/status-error.ts";
import type { Attributes } from "./attributes.ts";
import type { Authenticator } from "./authenticator.ts";
import type { PolicyRule, RbacAuthorizer } from "./rbac.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";
import { type User, userInfo } from "./user.ts";

export interface ReviewDeps {
  readonly authorizer: RbacAuthorizer;
  readonly authenticator: Authenticator;
  readonly tokens: ServiceAccountTokens;
}

/**
 * Answers the kinds that are questions, not objects: reviews of access, of rules, of tokens and of oneself.
 * `undefined` for resources that are not such.
 */
export function reviewOf(
  group: string,
  resource: string,
): ((deps: ReviewDeps, user: User, namespace: string | undefined, body: unknown) => Answer) | undefined {
  return reviews[`${resource}.${group}`];
}

type Answer = Record<string, unknown> | Promise<Record<string, unknown>>;

const reviews: Readonly<Record<string, NonNullable<ReturnType<typeof reviewOf>>>> = {
  "selfsubjectaccessreviews.authorization.k8s.io": ({ authorizer }, user, _namespace, body) => ({
    spec: recordAt(body, "spec"),
    status: decision(authorizer, user, attributesOf(body, undefined)),
  }),
  "subjectaccessreviews.authorization.k8s.io": ({ authorizer }, _user, _namespace, body) => ({
    spec: recordAt(body, "spec"),
    status: decision(authorizer, subjectOf(body), attributesOf(body, undefined)),
  }),
  "localsubjectaccessreviews.authorization.k8s.io": ({ authorizer }, _user, namespace, body) => ({
    spec: recordAt(body, "spec"),
    status: decision(authorizer, subjectOf(body), attributesOf(body, namespace)),
  }),
  "selfsubjectrulesreviews.authorization.k8s.io": ({ authorizer }, user, _namespace, body) => ({
    spec: recordAt(body, "spec"),
    status: rulesStatus(authorizer.rulesOf(user, textAt(body, "spec", "namespace")), user),
  }),
  "selfsubjectreviews.authentication.k8s.io": (_deps, user) => ({ status: { userInfo: userInfo(user) } }),
  "tokenreviews.authentication.k8s.io": (deps, _user, _namespace, body) => reviewToken(deps, body),
};

function decision(authorizer: RbacAuthorizer, user: User, attributes: Attributes): Record<string, unknown> {
  const allowed = authorizer.allows(user, attributes);
  return allowed ? { allowed } : { allowed, reason: "" };
}

function subjectOf(body: unknown): User {
  const groups = textsAt(body, "spec", "groups");
  return { name: textAt(body, "spec", "user"), groups };
}

function attributesOf(body: unknown, namespace: string | undefined): Attributes {
  const path = valueAt(body, "spec", "nonResourceAttributes");
  if (path !== undefined) return { kind: "path", verb: textAt(path, "verb"), path: textAt(path, "path") };
  const asked = valueAt(body, "spec", "resourceAttributes");
  if (asked === undefined) {
    throw failures.badRequest(
      "exactly one of spec.resourceAttributes and spec.nonResourceAttributes must be set",
    );
  }
  const subresource = textAt(asked, "subresource");
  return {
    kind: "resource",
    verb: textAt(asked, "verb"),
    group: textAt(asked, "group"),
    resource: textAt(asked, "resource") + (subresource ? `/${subresource}` : ""),
    namespace: namespace ?? textAt(asked, "namespace"),
    name: textAt(asked, "name"),
  };
}

function rulesStatus(rules: readonly PolicyRule[], user: User): Record<string, unknown> {
  const all = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] };
  const allPaths = { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] };
  const held: readonly PolicyRule[] = user.groups.includes("system:masters")
    ? [all, allPaths, ...rules]
    : rules;
  return {
    resourceRules: held
      .filter((rule) => rule.nonResourceURLs.length === 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length > 0 ? { resourceNames } : {}),
      })),
    nonResourceRules: held
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}

/** @throws StatusError 400 when no token is given */
async function reviewToken(
  { authenticator, tokens }: ReviewDeps,
  body: unknown,
): Promise<Record<string, unknown>> {
  const token = textAt(body, "spec", "token");
  if (!token) throw failures.badRequest("token is required for TokenReview in authentication");
  const asked = textsAt(body, "spec", "audiences");
  const verdict = await authenticator.judgeToken(token, asked.length > 0 ? asked : [tokens.issuer]);
  const status =
    verdict?.kind === "accepted"
      ? { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences }
      : { user: {}, error: verdict ? `[invalid bearer token, ${verdict.why}]` : "invalid bearer token" };
  // The token itself is not repeated.
  return { spec: asked.length > 0 ? { audiences: asked } : {}, status };
}
