import { type Graph, type Step, sequence, step } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../control-plane/certificates.ts";
import { ensureAPIServerIsUp } from "../control-plane/cluster-operators.ts";
import { recordMasterHostKeys } from "../control-plane/master-host-keys.ts";
import { checkACRToken } from "../credentials/registry-token.ts";
import { renewClusterMsiCertificate } from "../identity/cluster-identity.ts";
import { ensureDefaults } from "../install/identifiers.ts";
import { fixSSH } from "../load-balancer/fix-ssh.ts";
import { syncClusterObject } from "../operator/install-operator.ts";
import {
  type loggingProfiles,
  resetOperatorVersion,
  setLoggingProfile,
  updateClusterOperatorFlags,
} from "../operator/operator-settings.ts";
import { loadBalancerMigration, operatorRollout } from "./admin-update.ts";

/** Adds operator flags that older clusters lack. The flags are added before a new operator reads its first Cluster resource. */
const newerDefaults = step<ClusterContext>({ name: "ensureDefaults", run: ensureDefaults });

/**
 * Graphs of planned maintenance by task ID (Azure/ARO-RP pkg/mimo/const.go and pkg/mimo/tasks). Manifests and schedules store the
 * IDs, so the meaning of an ID must never change.
 */
export const maintenanceTaskGraphs: ReadonlyMap<string, Graph<ClusterContext>> = new Map([
  task("9b741734-6505-447f-8510-85eb0ae561a2", "TLS certificate rotation", [
    step({ name: "rotateManagedCertificates", run: createCertificates }),
    step({ name: "configureAPIServerCertificate", run: configureAPIServerCertificate }),
    step({ name: "configureIngressCertificate", run: configureIngressCertificate }),
  ]),
  task("082978ce-3700-4972-835f-53d48658d291", "ACR token check", [
    step({ name: "checkACRToken", run: checkACRToken }),
  ]),
  task("75ab83d0-9a56-4ae3-843d-0db43679b082", "reset operator version", [
    newerDefaults,
    step({ name: "resetOperatorVersion", run: resetOperatorVersion }),
    ...operatorRollout,
  ]),
  task("258efb3b-a695-4a40-93ed-38fb1a19be6f", "update operator", [newerDefaults, ...operatorRollout]),
  task("f83e56af-25dc-4990-b4f9-3ee25b2f62e0", "sync cluster object", [
    step({ name: "syncClusterObject", run: syncClusterObject }),
  ]),
  task("b41749fc-af26-4ab7-b5a1-e03f3ee4cba6", "update operator flags", operatorFlags()),
  task("7c3f8e2d-9a4b-4f1e-8c5d-2b6a9e7f3d1c", "MSI certificate renewal", [
    step({ name: "renewClusterMsiCertificate", run: renewClusterMsiCertificate }),
  ]),
  task("c28a07c1-462f-42d2-8031-4b0222256596", "migrate load balancer zones", loadBalancerMigration),
  task("888fc221-b059-49db-bd02-22ad86cccd6b", "fix SSH", [
    step({ name: "fixSSH", run: fixSSH }),
    step({ name: "recordMasterHostKeys", run: recordMasterHostKeys }),
  ]),
  task("eb0360af-4748-42a3-9788-dfffae58dff6", "OTel logging on", logging("minimal-logs")),
  task("fbfa4ce6-117a-4c2e-8317-0834e51d6f6f", "OTel logging: max", logging("max-logs")),
  task("62e61118-78ff-4d11-abaa-e171ae1edd39", "OTel logging: reduced", logging("reduced-logs")),
  task("59444b6f-c5e1-4d12-84b2-81d8ed5af9c9", "OTel logging: minimal", logging("minimal-logs")),
]);

function task(
  id: string,
  name: string,
  steps: readonly Step<ClusterContext>[],
): readonly [string, Graph<ClusterContext>] {
  return [id, sequence(name, steps)];
}

function logging(profile: (typeof loggingProfiles)[number]): readonly Step<ClusterContext>[] {
  const set = step<ClusterContext>({ name: "setLoggingProfile", run: setLoggingProfile(profile) });
  const [first, ...others] = operatorFlags();
  return first ? [first, set, ...others] : [set];
}

function operatorFlags(): readonly Step<ClusterContext>[] {
  return [
    step({ name: "ensureAPIServerIsUp", run: ensureAPIServerIsUp }),
    step({ name: "updateClusterOperatorFlags", run: updateClusterOperatorFlags }),
  ];
}
