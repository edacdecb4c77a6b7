import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { ensureData } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { wantedAuditPolicy } from "./wanted-policy.ts";

/** Writes the audit policy for the profile of the cluster's APIServer. If the profile is unknown, the previous policy stays. */
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
    await ensureData(objects, resources.configMaps, wantedAuditPolicy(apiServer));
    return done;
  },
});
