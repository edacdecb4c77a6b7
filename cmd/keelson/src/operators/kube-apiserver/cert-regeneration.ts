import { Metrics, systemClock } from "@keelson/base";
import { LeaderElection, Manager } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { regenerationControllers } from "@keelson/kube-apiserver-operator";
import { podInstance } from "../pod-instance.ts";
import { connectNode, type NodeAccess, type NodeRun } from "./node-run.ts";

export interface CertRegenerationFlags extends NodeAccess {
  readonly namespace: string;
}

const component = "cert-regeneration-controller";

/** Runs certificate regeneration until the signal aborts. Of the processes in a cluster, only the elected leader works. */
export async function runCertRegeneration(flags: CertRegenerationFlags, run: NodeRun): Promise<void> {
  const { environment, logger, signal } = run;
  const { namespace } = flags;
  await using api = await connectNode(component, flags, run);
  const { instance, election } = podInstance(environment);
  const about: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, namespace } };
  const metrics = new Metrics();
  const expiry = metrics.gauge({
    name: "keelson_certificate_expiry_timestamp_seconds",
    help: "Expiry of a certificate, in Unix seconds",
    labels: ["namespace", "name"],
  });
  const manager = new Manager({
    api,
    component,
    instance,
    context: (parts) => ({ ...parts, expiry, report: (event) => parts.events.record(about, event) }),
    controllers: regenerationControllers(environment.OPERATOR_IMAGE_VERSION),
    election: new LeaderElection({
      api,
      lease: { namespace, name: "cert-regeneration-controller-lock" },
      identity: instance,
      ...election,
      clock: systemClock,
      logger,
    }),
    metrics,
    clock: systemClock,
    logger,
  });
  await manager.run(signal);
}
