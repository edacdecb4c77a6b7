import type { OperatorFlag } from "@keelson/aro-api";
import { switchedOn, text } from "../../runtime/flags.ts";

const profiles = ["minimal-logs", "reduced-logs", "max-logs"];
const profile = { values: profiles };

/** Flags of this controller. */
export const flags: Readonly<Record<string, OperatorFlag>> = {
  "aro.genevalogging.enabled": switchedOn,
  "aro.genevalogging.otel.emitsourcefields": { values: "switch" },
  "aro.genevalogging.otel.master.profile": profile,
  "aro.genevalogging.otel.profile": { values: profiles, default: "minimal-logs" },
  "aro.genevalogging.otel.pullSpec": text,
  "aro.genevalogging.otel.worker.profile": profile,
};
