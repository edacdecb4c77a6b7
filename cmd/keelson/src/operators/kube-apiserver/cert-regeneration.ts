import { Metrics, systemClock } from "@keelson/base";
import { LeaderElection, Manager } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { regenerationControllers } from "@keelson/kube-apiserver-operator";
import type { NodeFlags } from "../../options/node-options.ts";
import { buildVersion } from "../../process/build-version.ts";
import { connectOperator } from "../connect-operator.ts";
import { nodePlace } from "../node-place.ts";
import { podInstance } from "../pod-instance.ts";
import type { NodeRun } from "./static-pod-node.ts";

export interface CertRegenerationFlags extends NodeFlags {
  readonly namespace: string;
  readonly tlsServerNameOverride?: string;
}

const component = "cert-regeneration-controller";

/** Runs until the signal aborts; one of a cluster's leads. */
export async function runCertRegeneration(
  flags: CertRegenerationFlags,
  { environment, logger, signal }: NodeRun,
): Promise<void> {
  const { namespace, tlsServerNameOverride: tlsServerName } = flags;
  const placeOf = nodePlace(environment);
  const client = { userAgent: `${component}/${buildVersion()}`, fieldManager: component };
  const access = {
    ...flags,
    environment,
    placeOf,
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
  };
  await using api = await connectOperator(access, client);
  const { instance, election } = podInstance(environment);
  const about: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, namespace } };
  const metrics = new Metrics();
  const expiry = metrics.gauge({
    name: "keelson_certificate_expiry_timestamp_seconds",
    help: "When a certificate ends, in seconds of Unix time",
    labels: ["namespace", "name"],
  });
  const manager = new Manager({
    api,
    component,
    instance,
    context: (parts) => ({ ...parts, expiry, report: (event) => parts.events.record(about, event) }),
    controllers: regenerationControllers(),
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
