import { createServer } from "node:https";
import { issueCertificate, Metrics, systemClock } from "@keelson/base";
import { Manager, type ManagerParts } from "@keelson/controller";
import { extendReceiveLimits, keepAliveTimeoutMs, listen as startListening } from "@keelson/http";
import { connectivity } from "@keelson/operator-kit";
import type { NodeFlags } from "../../options/node-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { connectNode, type NodeRun } from "./node-run.ts";

export interface CheckEndpointsFlags extends NodeFlags {
  readonly listen: string;
  readonly namespace: string;
}

const component = "check-endpoints";

/** Runs the connectivity checks that name this pod as their source, until the signal aborts. @throws PodNameMissing */
export async function runCheckEndpoints(flags: CheckEndpointsFlags, run: NodeRun): Promise<void> {
  const { environment, logger, signal } = run;
  const pod = environment.POD_NAME;
  if (!pod) throw cliErrors.PodNameMissing("env var POD_NAME is required: the pod whose checks these are");
  await using _health = await serveHealth(flags.listen);
  await using api = await connectNode(component, flags, run);
  const manager = new Manager<ManagerParts>({
    api,
    component,
    instance: pod,
    context: (parts) => parts,
    controllers: [
      connectivity<ManagerParts>({
        namespace: flags.namespace,
        pod,
        parts: ({ events, ...parts }) => ({
          ...parts,
          report: (about, event) => events.record(about, event),
        }),
      }),
    ],
    metrics: new Metrics(),
    clock: systemClock,
    logger,
  });
  await manager.run(signal);
}

/**
 * Serves the health endpoints over HTTPS. A self-signed certificate is sufficient, because kubelets do not verify the certificate
 * of a probed server.
 */
async function serveHealth(listen: string): Promise<AsyncDisposable> {
  const { certificatePem, privateKeyPem } = await issueCertificate(undefined, {
    commonName: component,
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 3_650,
  });
  const server = createServer({ cert: certificatePem, key: privateKeyPem }, ({ url }, outgoing) => {
    const isHealth = /^\/(healthz|livez|readyz)(\?|$)/.test(url ?? "");
    outgoing.writeHead(isHealth ? 200 : 404).end(isHealth ? "ok" : "404 page not found\n");
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  extendReceiveLimits(server);
  const address = URL.parse(`tcp://${listen}`);
  await startListening(
    server,
    address?.hostname.replace(/^\[(.*)\]$/, "$1"),
    Number(address?.port || 17_697),
  );
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
