import { singleton } from "@keelson/aro-api";
import { listAt, stringAt } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import type { ManagedObjects } from "@keelson/operator-kit";
import { gatekeeperDefinitions } from "./gatekeeper-rules.ts";

const namespace = "openshift-azure-guardrails";
const webhooks = [
  [resources.validatingWebhookConfigurations, "gatekeeper-validating-webhook-configuration"],
  [resources.mutatingWebhookConfigurations, "gatekeeper-mutating-webhook-configuration"],
] as const;
const roleBinding = "gatekeeper-manager-rolebinding";
const role = "gatekeeper-manager-role";
/** Watches Gatekeeper's namespace, which is deleted last. While the namespace exists, further Gatekeeper objects may exist. */
export const gatekeeperChanged = watchFor(resources.namespaces, singleton, {
  selection: { fieldSelector: `metadata.name=${namespace}` },
  where: named(namespace),
});

/** True if the cluster has a Gatekeeper that the service deployed. */
export async function hasGatekeeper(objects: ManagedObjects): Promise<boolean> {
  const found = await objects.find(resources.namespaces, { name: namespace });
  return found !== undefined && found.metadata.deletionTimestamp === undefined;
}

/**
 * Removes a Gatekeeper that the service deployed. If the customer also has a Gatekeeper, the customer's Gatekeeper is kept,
 * together with the objects that both use.
 */
export async function removeGatekeeper(objects: ManagedObjects): Promise<void> {
  if (!(await hasGatekeeper(objects))) return;
  let isShared = false;
  // Webhooks are deleted before their backend. Requests would fail if a webhook existed without its backend.
  for (const [resource, name] of webhooks) {
    const live = await objects.find(resource, { name });
    if (live && !isOurs(live)) isShared = true;
    else await objects.remove(resource, { name });
  }
  if (!isShared) {
    await objects.remove(resources.clusterRoleBindings, { name: roleBinding });
    await objects.remove(resources.clusterRoles, { name: role });
    for (const name of gatekeeperDefinitions)
      await objects.remove(resources.customResourceDefinitions, { name });
  }
  await objects.remove(resources.namespaces, { name: namespace });
}

function isOurs(webhookConfiguration: KubeObject): boolean {
  return listAt(webhookConfiguration, "webhooks").every(
    (webhook) => stringAt(webhook, "clientConfig", "service", "namespace") === namespace,
  );
}
