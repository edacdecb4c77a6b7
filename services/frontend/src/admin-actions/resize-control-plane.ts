import { checkMasterSize, resizeControlPlane as resize } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { AdminAction } from "../admin-action.ts";
import type { Exchange } from "../exchange.ts";

const limitPerNodeMs = 45 * 60_000;

/** Gives the masters another size, one after the other. */
export const resizeControlPlane: AdminAction<{ readonly vmSize: string; readonly deallocateVM: boolean }> = {
  method: "POST",
  suffix: "resizecontrolplane",
  mutating: true,
  long: { limitMs: 3 * limitPerNodeMs, resumable: true, detached: true },
  read(exchange) {
    const deallocateVM = deallocates(exchange);
    const vmSize = exchange.query("vmSize") ?? "";
    checkMasterSize(vmSize);
    return { vmSize, deallocateVM };
  },
  async handle(context, wish, journal) {
    await resize(context, wish, journal);
    return { status: 200 };
  },
};

function deallocates(exchange: Exchange): boolean {
  const text = exchange.query("deallocateVM") || "true";
  const value = text.toLowerCase();
  if (value === "true" || value === "false") return value === "true";
  throw new CloudError(
    "InvalidParameter",
    `The provided deallocateVM value '${text}' is invalid. Allowed values are 'true' or 'false'.`,
    { target: "deallocateVM" },
  );
}
