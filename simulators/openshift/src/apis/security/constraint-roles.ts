import type { KubeObject } from "@keelson/apiserver";
import { defaultConstraints } from "./default-constraints.ts";

/**
 * Returns the roles that permit the use of one kind of security context constraints. `oc adm policy add-scc-to-user` binds them.
 * The API server adds missing rules at its start.
 */
export function constraintRoles(): readonly KubeObject[] {
  return defaultConstraints().map(({ metadata: { name } }) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: {
      name: `system:openshift:scc:${name}`,
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    },
    rules: [
      {
        apiGroups: ["security.openshift.io"],
        resources: ["securitycontextconstraints"],
        resourceNames: [name],
        verbs: ["use"],
      },
    ],
  }));
}
