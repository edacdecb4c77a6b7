const on = [
  "aro.alertwebhook.enabled",
  "aro.autosizednodes.enabled",
  "aro.azuresubnets.enabled",
  "aro.azuresubnets.nsg.managed",
  "aro.azuresubnets.serviceendpoint.managed",
  "aro.ccopprof.enabled",
  "aro.checker.enabled",
  "aro.cloudproviderconfig.enabled",
  "aro.dnsmasq.enabled",
  "aro.etchosts.enabled",
  "aro.etchosts.managed",
  "aro.genevalogging.enabled",
  "aro.guardrails.deploy.managed",
  "aro.guardrails.enabled",
  "aro.guardrails.policies.aro-machine-config-deny.managed",
  "aro.guardrails.policies.aro-machines-deny.managed",
  "aro.guardrails.policies.aro-nodes-deny.managed",
  "aro.guardrails.policies.aro-privileged-namespace-deny.managed",
  "aro.imageconfig.enabled",
  "aro.ingress.enabled",
  "aro.machine.enabled",
  "aro.machinehealthcheck.enabled",
  "aro.machinehealthcheck.managed",
  "aro.machineset.enabled",
  "aro.nodedrainer.enabled",
  "aro.pullsecret.enabled",
  "aro.pullsecret.managed",
  "aro.rbac.enabled",
  "aro.routefix.enabled",
  "aro.storageaccounts.enabled",
  "aro.workaround.copyfail.enabled",
  "aro.workaround.dirtyfrag.enabled",
  "aro.workaround.enabled",
  "rh.srep.muo.enabled",
  "rh.srep.muo.managed",
];
const off = [
  "aro.banner.enabled",
  "aro.cpms.enabled",
  "aro.forcereconciliation",
  "aro.monitoring.enabled",
  "aro.restartdnsmasq.enabled",
];

/** Switches of the in-cluster operator, as a new cluster gets them. Names as in ARO-RP pkg/operator/flags.go. */
export const defaultOperatorFlags: Readonly<Record<string, string>> = Object.freeze({
  ...Object.fromEntries(on.map((flag) => [flag, "true"])),
  ...Object.fromEntries(off.map((flag) => [flag, "false"])),
  "aro.genevalogging.otel.profile": "minimal-logs",
  "aro.guardrails.method": "auto",
  "aro.guardrails.policies.aro-machine-config-deny.enforcement": "dryrun",
  "aro.guardrails.policies.aro-machines-deny.enforcement": "deny",
  "aro.guardrails.policies.aro-nodes-deny.enforcement": "deny",
  "aro.guardrails.policies.aro-privileged-namespace-deny.enforcement": "dryrun",
});

type Flags = Readonly<Record<string, string>> | undefined;

/** Of a switch: on when its value is `true` in any case, off otherwise and where it is missing. */
export function isFlagOn(flags: Flags, name: string): boolean {
  return flags?.[name]?.toLowerCase() === "true";
}

/** A flag's value; `fallback` only where it is missing, as an empty text is a value. */
export function flagOr(flags: Flags, name: string, fallback: string): string {
  return flags?.[name] ?? fallback;
}
