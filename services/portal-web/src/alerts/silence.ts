import type { Condition } from "./conditions.ts";

/** Matches names that follow the naming convention of Prometheus. Only these names become part of a command. */
const safeName = /^[A-Za-z_][A-Za-z0-9_:]*$/;

/** Cluster of a silenced alert. */
export interface SilencedCluster {
  readonly name: string;
  readonly resourceId: string;
}

/**
 * Returns the command that silences an alert for two hours. Undefined if a name contains characters that names of alerts or
 * clusters cannot have.
 */
export function silenceCommand(
  { name, source }: Pick<Condition, "name" | "source">,
  cluster: SilencedCluster,
): string | undefined {
  if (!safeName.test(name) || !/^[a-z0-9-]+$/i.test(cluster.name)) return undefined;
  const rest = `--duration=2h --author="$USER" --comment="reason"`;
  if (source === "monitor")
    return `amtool silence add alertname=${name} '${clusterMatcher(cluster.resourceId)}' ${rest}`;
  const exec = "-n openshift-monitoring exec -c alertmanager alertmanager-main-0 --";
  return `oc --kubeconfig ${cluster.name}-elevated.kubeconfig ${exec} amtool silence add alertname=${name} ${rest} --alertmanager.url=http://localhost:9093`;
}

/**
 * Returns the matcher for the alerts of one cluster. It ignores case, because the label has the letter case in which the cluster
 * was created. The character `.` replaces characters with a meaning in regular expressions or in the shell.
 */
function clusterMatcher(resourceId: string): string {
  return `resourceId=~(?i)${resourceId.replace(/[^\w/-]/g, ".")}`;
}
