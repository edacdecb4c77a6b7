import type { Condition } from "./conditions.ts";

/** Matches names that follow the naming convention of Prometheus. Only these names become part of a command. */
const safeName = /^[A-Za-z_][A-Za-z0-9_:]*$/;

/**
 * Returns the command that silences an alert for two hours. Undefined if the name contains characters that alert names cannot
 * have.
 */
export function silenceCommand(
  { name, source }: Pick<Condition, "name" | "source">,
  cluster: string,
): string | undefined {
  if (!safeName.test(name) || !/^[a-z0-9-]+$/i.test(cluster)) return undefined;
  const rest = `--duration=2h --author="$USER" --comment="reason"`;
  if (source === "monitor") return `amtool silence add alertname=${name} resourceName=${cluster} ${rest}`;
  const exec = "-n openshift-monitoring exec -c alertmanager alertmanager-main-0 --";
  return `oc --kubeconfig ${cluster}-elevated.kubeconfig ${exec} amtool silence add alertname=${name} ${rest} --alertmanager.url=http://localhost:9093`;
}
