import { valueAt } from "@keelson/base";
import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { ensureData } from "@keelson/operator-kit";
import { stringify } from "yaml";
import { auditPolicy } from "../../config/audit-policy.ts";
import { namespaces } from "../../config/namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";

/** Keeps the audit policy as the cluster's APIServer has its profile; a profile that is unknown keeps the one before. */
export const auditPolicies = kubeApiServerController({
  name: "AuditPolicyController",
  degraded: { type: "AuditPolicyDegraded", failed: "Error" },
  watches: inputWatches([
    clusterInput(resources.apiServers),
    { resource: resources.configMaps, selection: { namespace: namespaces.target } },
  ]),
  resyncMs: 60_000,
  async reconcile({ parts: { cache }, objects }) {
    const apiServer = cache.known(resources.apiServers, singleton)?.object;
    if (!apiServer) throw new Error('apiserver.config.openshift.io "cluster" not found');
    const policy = auditPolicy(valueAt(apiServer, "spec", "audit"));
    await ensureData(objects, resources.configMaps, {
      metadata: { namespace: namespaces.target, name: "kube-apiserver-audit-policies" },
      data: { "policy.yaml": stringify(policy, { aliasDuplicateObjects: false, sortMapEntries: true }) },
    });
    return done;
  },
});
