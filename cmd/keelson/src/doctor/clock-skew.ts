import { type Finding, failed, ok, warning } from "./finding.ts";

const warnMs = 5_000;
/**
 * Clock difference in ms at which the check starts to fail. Leases expire by the database's clock, and Entra ID rejects
 * assertions at a difference of five minutes.
 */
const failMs = 60_000;

/** Compares this machine's clock with the clock of a server. The precision is about one second. */
export function compareClocks(whose: string, theirs: Date, ours: Date): Finding {
  const check = `clock against ${whose}`;
  const aheadMs = ours.getTime() - theirs.getTime();
  const summary = `this machine is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead"}`;
  const remedy = "synchronise the clocks with a time server (chrony, systemd-timesyncd)";
  const command = "timedatectl timesync-status";
  if (Math.abs(aheadMs) >= failMs) return failed(check, summary, remedy, command);
  return Math.abs(aheadMs) >= warnMs ? warning(check, summary, remedy, command) : ok(check, summary);
}
