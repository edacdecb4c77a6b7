import { valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { stringify } from "yaml";
import { auditPolicy } from "../../config/audit-policy.ts";
import { namespaces } from "../../config/namespaces.ts";

/**
 * Returns the ConfigMap with the audit policy for the cluster's APIServer.
 * @throws Error for an unknown profile
 */
export function wantedAuditPolicy(
  apiServer: KubeObject,
): WantedObject & { readonly data: Record<string, string> } {
  const policy = auditPolicy(valueAt(apiServer, "spec", "audit"));
  return {
    metadata: { namespace: namespaces.target, name: "kube-apiserver-audit-policies" },
    data: { "policy.yaml": stringify(policy, { aliasDuplicateObjects: false, sortMapEntries: true }) },
  };
}
