import { createHash } from "node:crypto";
import { boundedText, type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { apiVersionOf, type KubeApi, type KubeResource } from "@keelson/kube";
import type { KmsService } from "./kms-client.ts";
import { keyIdOfSocket } from "./kms-sockets.ts";
import { unknownRemoteKey } from "./preflight-status.ts";

export interface HealthReporterOptions {
  readonly sockets: readonly string[];
  /** Name of the node on which the plugins run. Two reporters must not have the same name. */
  readonly node: string;
  readonly everyMs: number;
  readonly writeTimeoutMs: number;
  /** Operator resource. The reports are stored in `status.encryptionStatus.healthReports`. */
  readonly operator: KubeResource;
}

export interface HealthReporterDeps {
  readonly api: Pick<KubeApi, "apply">;
  readonly connect: (socket: string) => KmsService;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Plugin {
  readonly socket: string;
  readonly service: KmsService;
  /** Last known remote key ID. The schema requires a value even for an unavailable plugin. */
  remoteKeyID: string;
}

const maxText = 1_024;

/** Checks the plugins of a node periodically and concurrently. Writes their health reports until the signal aborts. */
export async function reportPluginHealth(
  options: HealthReporterOptions,
  deps: HealthReporterDeps,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = deps;
  using stack = new DisposableStack();
  const plugins = options.sockets.map((socket): Plugin => {
    const service = stack.use(deps.connect(socket));
    return { socket, service, remoteKeyID: unknownRemoteKey };
  });
  while (!signal.aborted) {
    const reports = await Promise.all(plugins.map((each) => probe(each, options.node, clock, signal)));
    if (signal.aborted) return;
    await publish(options, reports, deps, signal).catch((error) => {
      if (!signal.aborted) logger.warn({ error: messageOf(error) }, "the plugins' health was not written");
    });
    await clock.sleep(options.everyMs * (1 + Math.random() * 0.1), signal).catch(() => undefined);
  }
}

async function probe(plugin: Plugin, nodeName: string, clock: Clock, signal: AbortSignal) {
  const response = await plugin.service.status(signal).then(
    ({ healthz, keyId }) => {
      if (keyId !== "") plugin.remoteKeyID = boundedText(keyId, maxText);
      return healthz === "ok"
        ? { status: "Healthy" }
        : { status: "Unhealthy", detail: healthz || "it says nothing" };
    },
    (error) => ({ status: "Error", detail: messageOf(error) }),
  );
  return {
    nodeName,
    keyID: keyIdOfSocket(plugin.socket),
    remoteKeyID: plugin.remoteKeyID,
    lastCheckedTime: timestamp(clock.now()),
    ...response,
    ...("detail" in response ? { detail: boundedText(response.detail ?? "", maxText) } : {}),
  };
}

/** Writes the reports of this node. The write also removes reports of plugins that no longer exist. */
async function publish(
  { operator, node, writeTimeoutMs }: HealthReporterOptions,
  healthReports: readonly object[],
  { api }: HealthReporterDeps,
  signal: AbortSignal,
): Promise<void> {
  const object = {
    apiVersion: apiVersionOf(operator),
    kind: operator.kind,
    metadata: { name: "cluster" },
    status: { encryptionStatus: { healthReports } },
  };
  // A node name may exceed the maximum length of a field manager, so the name is hashed.
  const fieldManager = `kms-health-reporter-${createHash("sha256").update(node).digest("hex")}`;
  const within = withTimeout(signal, writeTimeoutMs);
  await api.apply(operator, object, within, { force: true, fieldManager, subresource: "status" });
}
