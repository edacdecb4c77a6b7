import { type PolicyRule, singleton } from "@keelson/aro-api";
import { controllerReference, named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { switchedOn } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { diagnosticsRules } from "./diagnostics-rules.ts";
import { sreRules } from "./sre-rules.ts";

const { clusterRoleBindings, clusterRoles } = resources;
const apiGroup = "rbac.authorization.k8s.io";

/** ClusterRoles by name. The name of a role is also the name of its binding and of the bound user. */
const roles: readonly (readonly [name: string, rules: readonly PolicyRule[]])[] = [
  ["system:aro-sre", sreRules],
  ["system:aro-diagnostics", diagnosticsRules],
];
const names = roles.map(([name]) => name);

/** Grants read-only access to the service's SREs and to automated diagnostics. */
export const rbac: RegisteredController = {
  name: "RBAC",
  flag: "aro.rbac.enabled",
  flags: { "aro.rbac.enabled": switchedOn },
  documentation: {
    purpose:
      "ClusterRoles and bindings `system:aro-sre` and `system:aro-diagnostics`, read-only and without Secrets.",
    improvement: "Has the verb `escalate` only for these two roles. Preserves owners of other writers.",
  },
  watches: [clusterRoles, clusterRoleBindings].flatMap((resource) =>
    names.map((name) =>
      watchFor(resource, singleton, {
        selection: { fieldSelector: `metadata.name=${name}` },
        where: named(name),
      }),
    ),
  ),
  permissions: [
    may([...reading, "create", "patch"], apiGroup, ["clusterroles", "clusterrolebindings"], {
      resourceNames: names,
    }),
    // With these verbs, the operator may create roles with permissions that it does not have itself.
    may(["escalate", "bind"], apiGroup, ["clusterroles"], { resourceNames: names }),
  ],
  async reconcile({ cluster, objects }) {
    const ownerReferences = [controllerReference(cluster)];
    for (const [name, rules] of roles) {
      const metadata = { name, ownerReferences };
      await objects.ensure(clusterRoles, { metadata, rules: rules.map(exactly) });
      await objects.ensure(clusterRoleBindings, {
        metadata,
        roleRef: { apiGroup, kind: "ClusterRole", name },
        subjects: [{ apiGroup, kind: "User", name }],
      });
    }
    return done;
  },
};

/**
 * Returns the rule with null for unused selectors. If a second writer has restricted the rule to resource names, the null removes
 * this restriction.
 */
function exactly(rule: PolicyRule): Readonly<Record<string, unknown>> {
  return { resourceNames: null, ...(rule.resources ? { nonResourceURLs: null } : {}), ...rule };
}
