import type { OperatorFlag } from "@keelson/aro-api";
import { switchedOn, text, triState, wholeNumber } from "../../runtime/flags.ts";

const enforcements = ["deny", "warn", "dryrun"];
const deny = { values: enforcements, default: "deny" };
const dryRun = { values: enforcements, default: "dryrun" };

/** Flags of this controller. */
export const flags: Readonly<Record<string, OperatorFlag>> = {
  "aro.guardrails.deploy.audit.limit.cpu": text,
  "aro.guardrails.deploy.audit.limit.mem": text,
  "aro.guardrails.deploy.audit.requests.cpu": text,
  "aro.guardrails.deploy.audit.requests.mem": text,
  "aro.guardrails.deploy.managed": { ...triState, default: "true" },
  "aro.guardrails.deploy.manager.limit.cpu": text,
  "aro.guardrails.deploy.manager.limit.mem": text,
  "aro.guardrails.deploy.manager.requests.cpu": text,
  "aro.guardrails.deploy.manager.requests.mem": text,
  "aro.guardrails.deploy.pullspec": text,
  "aro.guardrails.enabled": switchedOn,
  "aro.guardrails.method": { values: ["gatekeeper", "vap", "auto"], default: "auto" },
  "aro.guardrails.mutatingwebhook.managed": triState,
  "aro.guardrails.mutatingwebhook.timeoutSeconds": wholeNumber,
  "aro.guardrails.namespace": text,
  "aro.guardrails.policies.aro-machine-config-deny.enforcement": dryRun,
  "aro.guardrails.policies.aro-machine-config-deny.managed": switchedOn,
  "aro.guardrails.policies.aro-machines-deny.enforcement": deny,
  "aro.guardrails.policies.aro-machines-deny.managed": switchedOn,
  "aro.guardrails.policies.aro-nodes-deny.enforcement": deny,
  "aro.guardrails.policies.aro-nodes-deny.managed": switchedOn,
  "aro.guardrails.policies.aro-privileged-namespace-deny.enforcement": dryRun,
  "aro.guardrails.policies.aro-privileged-namespace-deny.managed": switchedOn,
  "aro.guardrails.reconciliationMinutes": wholeNumber,
  "aro.guardrails.role.scc.resourcename": text,
  "aro.guardrails.validatingwebhook.managed": triState,
  "aro.guardrails.validatingwebhook.timeoutSeconds": wholeNumber,
};
