/** What the value of a flag may be. A tri-state switch that is neither on nor off leaves things as they are. */
type FlagValues = "switch" | "tri-state" | "whole number" | "text" | readonly string[];

export interface OperatorFlag {
  readonly values: FlagValues;
  /** Its value on new clusters; absent for flags that are set by hand only. */
  readonly default?: string;
  /**
   * The value that clusters get which are older than the flag, by their next maintenance. Every flag with a default that
   * is added from now on has one. Those of the first release have none: where they are missing they stay so.
   */
  readonly onOlderClusters?: string;
}

const on = { values: "switch", default: "true" } as const;
const off = { values: "switch", default: "false" } as const;
const text = { values: "text" } as const;
const wholeNumber = { values: "whole number" } as const;
const triState = { values: "tri-state" } as const;
const profiles = ["minimal-logs", "reduced-logs", "max-logs"];
const profile = { values: profiles };
const enforcements = ["deny", "warn", "dryrun"];
const deny = { values: enforcements, default: "deny" };
const dryRun = { values: enforcements, default: "dryrun" };

/** All flags of the in-cluster operator. Names as in Azure/ARO-RP pkg/operator. */
export const operatorFlags: ReadonlyMap<string, OperatorFlag> = new Map<string, OperatorFlag>([
  ["aro.alertwebhook.enabled", on],
  ["aro.autosizednodes.enabled", on],
  ["aro.azuresubnets.enabled", on],
  ["aro.azuresubnets.nsg.managed", on],
  ["aro.azuresubnets.serviceendpoint.managed", on],
  ["aro.banner.enabled", off],
  ["aro.ccopprof.enabled", on],
  ["aro.checker.enabled", on],
  ["aro.cloudproviderconfig.enabled", on],
  ["aro.cpms.enabled", off],
  ["aro.dnsmasq.enabled", on],
  ["aro.environment", text],
  ["aro.etchosts.enabled", on],
  ["aro.etchosts.managed", on],
  ["aro.forcereconciliation", off],
  ["aro.genevalogging.enabled", on],
  ["aro.genevalogging.otel.emitsourcefields", { values: "switch" }],
  ["aro.genevalogging.otel.master.profile", profile],
  ["aro.genevalogging.otel.profile", { values: profiles, default: "minimal-logs" }],
  ["aro.genevalogging.otel.pullSpec", text],
  ["aro.genevalogging.otel.worker.profile", profile],
  ["aro.guardrails.deploy.audit.limit.cpu", text],
  ["aro.guardrails.deploy.audit.limit.mem", text],
  ["aro.guardrails.deploy.audit.requests.cpu", text],
  ["aro.guardrails.deploy.audit.requests.mem", text],
  ["aro.guardrails.deploy.managed", { ...triState, default: "true" }],
  ["aro.guardrails.deploy.manager.limit.cpu", text],
  ["aro.guardrails.deploy.manager.limit.mem", text],
  ["aro.guardrails.deploy.manager.requests.cpu", text],
  ["aro.guardrails.deploy.manager.requests.mem", text],
  ["aro.guardrails.deploy.pullspec", text],
  ["aro.guardrails.enabled", on],
  ["aro.guardrails.method", { values: ["gatekeeper", "vap", "auto"], default: "auto" }],
  ["aro.guardrails.mutatingwebhook.managed", triState],
  ["aro.guardrails.mutatingwebhook.timeoutSeconds", wholeNumber],
  ["aro.guardrails.namespace", text],
  ["aro.guardrails.policies.aro-machine-config-deny.enforcement", dryRun],
  ["aro.guardrails.policies.aro-machine-config-deny.managed", on],
  ["aro.guardrails.policies.aro-machines-deny.enforcement", deny],
  ["aro.guardrails.policies.aro-machines-deny.managed", on],
  ["aro.guardrails.policies.aro-nodes-deny.enforcement", deny],
  ["aro.guardrails.policies.aro-nodes-deny.managed", on],
  ["aro.guardrails.policies.aro-privileged-namespace-deny.enforcement", dryRun],
  ["aro.guardrails.policies.aro-privileged-namespace-deny.managed", on],
  ["aro.guardrails.reconciliationMinutes", wholeNumber],
  ["aro.guardrails.role.scc.resourcename", text],
  ["aro.guardrails.validatingwebhook.managed", triState],
  ["aro.guardrails.validatingwebhook.timeoutSeconds", wholeNumber],
  ["aro.imageconfig.enabled", on],
  ["aro.ingress.enabled", on],
  ["aro.machine.enabled", on],
  ["aro.machinehealthcheck.enabled", on],
  ["aro.machinehealthcheck.managed", on],
  ["aro.machineset.enabled", on],
  ["aro.monitoring.enabled", off],
  ["aro.nodedrainer.enabled", on],
  ["aro.pullsecret.enabled", on],
  ["aro.pullsecret.managed", on],
  ["aro.rbac.enabled", on],
  ["aro.restartdnsmasq.enabled", off],
  ["aro.routefix.enabled", on],
  ["aro.storageaccounts.enabled", on],
  ["aro.workaround.copyfail.enabled", on],
  ["aro.workaround.dirtyfrag.enabled", on],
  ["aro.workaround.enabled", on],
  ["rh.srep.muo.deploy.pullspec", text],
  ["rh.srep.muo.enabled", on],
  ["rh.srep.muo.managed", { ...triState, default: "true" }],
]);

/** The flags of a new cluster. */
export const defaultOperatorFlags: Readonly<Record<string, string>> = Object.freeze(
  valuesOf((flag) => flag.default),
);

/** A cluster's flags with those that are newer than it. Nothing that it has is overwritten. */
export function withNewerFlags(
  flags: Readonly<Record<string, string>>,
  catalogue = operatorFlags,
): Readonly<Record<string, string>> {
  return { ...valuesOf((flag) => flag.onOlderClusters, catalogue), ...flags };
}

function valuesOf(
  value: (flag: OperatorFlag) => string | undefined,
  catalogue = operatorFlags,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, flag] of catalogue) {
    const found = value(flag);
    if (found !== undefined) values[name] = found;
  }
  return values;
}
