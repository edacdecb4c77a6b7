import { CloudError } from "@keelson/arm";
import { type AzureClients, armRetry } from "@keelson/azure";
import type { ActionContext } from "../context/action-context.ts";
import { managedGroupOf, named } from "./managed-group.ts";

type RouteTable = Awaited<ReturnType<AzureClients["network"]["networkInterfaces"]["getEffectiveRouteTable"]>>;

/**
 * Rejects an empty or invalid network interface name.
 * @throws CloudError InvalidParameter
 */
export function checkNicGiven(nic: string): void {
  if (nic === "")
    throw new CloudError("InvalidParameter", "Network interface name is required", { target: "nic" });
  if (!/^[a-zA-Z0-9][\w.-]{0,79}$/.test(nic))
    throw new CloudError("InvalidParameter", `The provided nic '${nic}' is invalid.`, { target: "nic" });
}

/**
 * Returns the effective routes of a network interface.
 * @throws CloudError InvalidParameter, NotFound; errors of Azure
 */
export async function effectiveRouteTable(
  { azure, document, signal }: ActionContext,
  nic: string,
): Promise<RouteTable> {
  checkNicGiven(nic);
  const call = azure.call(signal);
  const { networkInterfaces } = azure.network;
  return named(document, `NetworkInterface '${nic}'`, () =>
    networkInterfaces.getEffectiveRouteTable(managedGroupOf(document), nic, call).pollUntilDone(call),
  );
}

/**
 * Rejects invalid network interface names.
 * @throws CloudError InvalidParameter
 */
export function checkNicName(nicName: string): void {
  if (!/^[a-zA-Z0-9].*\w$/.test(nicName))
    throw new CloudError("InvalidParameter", `The provided nicName '${nicName}' is invalid.`);
}

/**
 * Writes a network interface in a failed state back unchanged, so that Azure retries its provisioning.
 * @throws CloudError InvalidParameter, NotFound, RequestNotAllowed; errors of Azure
 */
export async function reconcileFailedNic(
  { azure, document, clock, signal }: ActionContext,
  nicName: string,
): Promise<void> {
  checkNicName(nicName);
  const call = azure.call(signal);
  const group = managedGroupOf(document);
  const { networkInterfaces } = azure.network;
  const nic = await named(document, `NetworkInterface '${nicName}'`, () =>
    networkInterfaces.get(group, nicName, call),
  );
  if (nic.provisioningState !== "Failed") {
    const message = `skipping nic '${nicName}' because it is not in a failed provisioning state`;
    throw new CloudError("RequestNotAllowed", message);
  }
  await armRetry(() => networkInterfaces.createOrUpdate(group, nicName, nic, call).pollUntilDone(call), {
    clock,
    signal,
  });
}
