import { CloudError } from "@keelson/arm";
import type { ActionContext } from "../context/action-context.ts";
import { onVm } from "./virtual-machine.ts";

/** Validity in minutes of the shared access signature (SAS) URL from which the service downloads the log. */
const sasUriExpirationTimeInMinutes = 60;

/**
 * Streams the serial console output of a virtual machine.
 * @throws CloudError InvalidParameter, NotFound; errors of Azure
 */
export async function serialConsole(
  context: ActionContext,
  vmName: string,
): Promise<AsyncIterable<Uint8Array>> {
  const { azure, signal } = context;
  const { serialConsoleLogBlobUri } = await onVm(context, vmName, ({ virtualMachines }, group) =>
    virtualMachines.retrieveBootDiagnosticsData(group, vmName, {
      ...azure.call(signal),
      sasUriExpirationTimeInMinutes,
    }),
  );
  if (serialConsoleLogBlobUri) return azure.raw.download(serialConsoleLogBlobUri, signal);
  throw new CloudError("NotFound", `VirtualMachine '${vmName}' has no log of its serial console yet.`);
}
