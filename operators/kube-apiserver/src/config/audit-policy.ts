import type { JsonObject } from "@keelson/base";
import { listAt, stringAt, valueAt } from "@keelson/base";

const writes = ["create", "update", "patch", "delete"];

/** Audit rule for requests with secret or very large bodies. */
const withoutBodies: JsonObject = {
  level: "Metadata",
  resources: [
    { group: "route.openshift.io", resources: ["routes", "routes/status"] },
    { resources: ["secrets", "serviceaccounts/token"] },
    { group: "authentication.k8s.io", resources: ["tokenreviews", "tokenrequests"] },
    { group: "oauth.openshift.io", resources: ["oauthclients", "tokenreviews"] },
    { group: "machineconfiguration.openshift.io" },
  ],
};

const restByMetadata: JsonObject = { level: "Metadata", omitStages: ["RequestReceived"] };

const profiles: ReadonlyMap<string, readonly JsonObject[]> = new Map([
  ["None", [{ level: "None" }]],
  [
    "Default",
    [
      {
        level: "RequestResponse",
        verbs: writes,
        resources: [
          { group: "user.openshift.io", resources: ["identities"] },
          { group: "oauth.openshift.io", resources: ["oauthaccesstokens", "oauthauthorizetokens"] },
        ],
      },
      restByMetadata,
    ],
  ],
  [
    "WriteRequestBodies",
    [
      withoutBodies,
      { level: "RequestResponse", verbs: ["update", "patch", "create", "delete", "deletecollection"] },
      restByMetadata,
    ],
  ],
  ["AllRequestBodies", [withoutBodies, { level: "RequestResponse" }]],
]);

const baseRules: readonly JsonObject[] = [
  {
    level: "None",
    nonResourceURLs: ["/api*", "/version", "/healthz", "/readyz", "/livez"],
    userGroups: ["system:authenticated", "system:unauthenticated"],
  },
  {
    level: "None",
    namespaces: [""],
    resources: [{ group: "apiserver.openshift.io", resources: ["apirequestcounts", "apirequestcounts/*"] }],
    users: ["system:apiserver"],
  },
];

/**
 * Returns the audit policy for `spec.audit` of an APIServer. Rules for user groups come before the general rules.
 * @throws Error for an unknown profile
 */
export function auditPolicy(audit: unknown): JsonObject {
  const groupRules = listAt(audit, "customRules").flatMap((rule) => {
    const group = stringAt(rule, "group") ?? "";
    const name = stringAt(rule, "profile") ?? "";
    const rules = profiles.get(name);
    if (!rules) throw new Error(`unknown audit profile "${name}" in customRules for group "${group}"`);
    return rules.map((each) => ({ ...each, userGroups: [group] }));
  });
  const named = valueAt(audit, "profile");
  const profile = named === undefined || named === "" ? "Default" : String(named);
  const rules = profiles.get(profile);
  if (!rules) throw new Error(`unknown audit profile "${profile}"`);
  return {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    metadata: { name: "policy" },
    omitManagedFields: true,
    omitStages: ["RequestReceived"],
    rules: [...baseRules, ...groupRules, ...rules],
  };
}
