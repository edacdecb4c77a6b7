import { checkMasterSize, resizeControlPlane as resize } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { RequestContext } from "../http/request-context.ts";
import type { AdminAction } from "./running/admin-action.ts";

const limitPerNodeMs = 45 * 60_000;

/** Gives the masters another size, one after the other. */
export const resizeControlPlane: AdminAction<{ readonly vmSize: string; readonly deallocateVM: boolean }> = {
  method: "POST",
  suffix: "resizecontrolplane",
  mutating: true,
  long: { limitMs: 3 * limitPerNodeMs, resumable: true, detached: true },
  read(request) {
    const deallocateVM = deallocates(request);
    const vmSize = request.query("vmSize") ?? "";
    checkMasterSize(vmSize);
    return { vmSize, deallocateVM };
  },
  async handle(context, wish, journal) {
    await resize(context, wish, journal);
    return { status: 200 };
  },
};

function deallocates(request: RequestContext): boolean {
  const text = request.query("deallocateVM") || "true";
  const value = text.toLowerCase();
  if (value === "true" || value === "false") return value === "true";
  throw new CloudError(
    "InvalidParameter",
    `The provided deallocateVM value '${text}' is invalid. Allowed values are 'true' or 'false'.`,
    { target: "deallocateVM" },
  );
}
