import { valueAt } from "@keelson/base";
import { type Controller, done } from "@keelson/controller";
import { isKubeNotFound, type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { connectivityChecks, masterLabel, operatorKey } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { kubeApiServerController, type OperatorContext } from "../../runtime/operator-context.ts";
import { asksForChecks, type CheckInputs, checkTargets, connectivityCheck } from "./check-targets.ts";

const everyMs = 60_000;
const service = { namespace: "openshift-apiserver", name: "api" };

/**
 * Creates connectivity checks for the API server pods if the cluster's overrides enable them. The inputs are read on demand
 * instead of watched, because few clusters enable the checks.
 */
export function connectivityCheckTargets(): Controller<OperatorContext> {
  /** True if checks of an earlier configuration may still exist. */
  let mayBeLeft = true;
  return kubeApiServerController({
    name: "ConnectivityCheckController",
    degraded: { type: "ConnectivityCheckControllerDegraded", failed: "SyncError", fine: "AsExpected" },
    watches: [],
    async reconcile({ configuration, parts: { api, events }, objects, signal }) {
      const asks = asksForChecks(valueAt(configuration, "spec", "unsupportedConfigOverrides"));
      if (!asks && !mayBeLeft) return done;
      const present = await existingChecks(api, signal);
      // The cluster does not serve the kind, so no check can be created.
      if (!present) return asks ? { requeueAfterMs: everyMs } : done;
      const inputs = asks ? await readInputs(api, configuration, signal) : undefined;
      const { targets, problems } = inputs ? checkTargets(inputs) : { targets: [], problems: [] };
      for (const message of problems)
        events.report({ type: "Warning", reason: "EndpointDetectionFailure", message });
      const masters = (inputs?.nodes ?? []).filter(({ metadata }) => masterLabel in (metadata.labels ?? {}));
      const wanted = masters.flatMap(({ metadata: { name } }) =>
        targets.map((target) => connectivityCheck(name, target)),
      );
      for (const check of wanted) await objects.ensure(connectivityChecks, check);
      const names = new Set(wanted.map(({ metadata }) => metadata.name));
      // If a target cannot be determined, no check is deleted, because an existing check may belong to this target.
      if (problems.length === 0)
        for (const { metadata } of present)
          if (isOfApiServers(metadata.name) && !names.has(metadata.name))
            await objects.remove(connectivityChecks, { namespace: namespaces.target, name: metadata.name });
      mayBeLeft = asks;
      return asks ? { requeueAfterMs: everyMs } : done;
    },
  });
}

function isOfApiServers(name: string): boolean {
  return /^kube-apiserver-.+-to-/.test(name);
}

/** Returns the existing checks. Undefined if the cluster does not serve the kind. */
async function existingChecks(api: KubeApi, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
  try {
    return (await api.list(connectivityChecks, { namespace: namespaces.target }, signal)).items;
  } catch (error) {
    if (isKubeNotFound(error)) return undefined;
    throw error;
  }
}

async function readInputs(
  api: KubeApi,
  configuration: KubeObject,
  signal: AbortSignal,
): Promise<CheckInputs> {
  const [nodes, found, endpoints, infrastructure] = await Promise.all([
    api.list(resources.nodes, {}, signal),
    api.find(resources.services, service, signal),
    api.find(resources.endpoints, service, signal),
    api.find(resources.infrastructures, operatorKey, signal),
  ]);
  const observedConfig = valueAt(configuration, "spec", "observedConfig");
  return { observedConfig, nodes: nodes.items, service: found, endpoints, infrastructure };
}
