import { checkVmName } from "@keelson/admin-actions";
import type { Exchange } from "../exchange.ts";

export interface VmParameters {
  readonly [name: string]: string;
  readonly vmName: string;
}

/** @throws CloudError InvalidParameter */
export function vmNameOf(exchange: Exchange): VmParameters {
  const vmName = exchange.query("vmName") ?? "";
  checkVmName(vmName);
  return { vmName };
}

/** What a virtual machine does takes minutes; and what was done to it may be done again. */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };
