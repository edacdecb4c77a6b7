import { stringAt, valueAt } from "@keelson/base";
import { conditionStatus, findCondition } from "@keelson/kube";
import { installContext } from "../install/install-context.ts";
import { conditionFacts } from "./conditions.ts";
import { type DiagnosticSource, finding } from "./finding.ts";

/** Inspects the ClusterDeployment if Hive installs the cluster. */
export const hiveSource: DiagnosticSource = {
  name: "clusterDeployment",
  ofInstallsOnly: true,
  limitMs: 15_000,
  async inspect(context) {
    const { hive } = context.environment;
    if (!hive || !context.cluster.properties.hiveProfile?.namespace) return undefined;
    const found = await hive.findDeployment(installContext(context));
    if (!found) return finding([], "Hive has no ClusterDeployment of the cluster.");
    const failed = findCondition(found, "ProvisionFailed");
    const hasFailed = conditionStatus(found, "ProvisionFailed") === "True";
    return finding(
      [
        {
          namespace: found.metadata.namespace,
          installed: valueAt(found, "spec", "installed") === true,
          conditions: conditionFacts(found),
        },
      ],
      hasFailed && `Hive reports a failed install: ${stringAt(failed, "reason") ?? "no reason"}.`,
    );
  },
};
