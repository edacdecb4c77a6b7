import type { KubeObject } from "@keelson/apiserver";

/** API groups by namespace of their API server. Real clusters serve them through aggregated API servers. */
const served: Readonly<Record<string, readonly string[]>> = {
  "openshift-apiserver": [
    "apps.openshift.io",
    "authorization.openshift.io",
    "build.openshift.io",
    "image.openshift.io",
    "project.openshift.io",
    "quota.openshift.io",
    "route.openshift.io",
    "security.openshift.io",
    "template.openshift.io",
  ],
  "openshift-operator-lifecycle-manager": ["packages.operators.coreos.com"],
  "openshift-oauth-apiserver": ["oauth.openshift.io", "user.openshift.io"],
};

/** Service names of API servers, by namespace. Only names other than `api` are listed. */
const serviceNames: Readonly<Record<string, string>> = {
  "openshift-operator-lifecycle-manager": "packageserver-service",
};

/** Returns the APIServices of the aggregated groups. Clients read them to check the availability of a group. */
export function apiServices(now: string): readonly KubeObject[] {
  return Object.entries(served).flatMap(([namespace, groups]) =>
    groups.map(
      (group): KubeObject => ({
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: {
          name: `v1.${group}`,
          annotations: { "service.alpha.openshift.io/inject-cabundle": "true" },
        },
        spec: {
          group,
          version: "v1",
          groupPriorityMinimum: 9_900,
          versionPriority: 15,
          service: { namespace, name: serviceNames[namespace] ?? "api", port: 443 },
        },
        status: {
          conditions: [
            {
              type: "Available",
              status: "True",
              lastTransitionTime: now,
              reason: "Passed",
              message: "all checks passed",
            },
          ],
        },
      }),
    ),
  );
}
