import { createHash } from "node:crypto";
import { boundedText, type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { apiVersionOf, type KubeApi, type KubeResource } from "@keelson/kube";
import type { KmsService } from "./kms-client.ts";
import { keyIdOfSocket } from "./kms-sockets.ts";
import { unknownRemoteKey } from "./preflight-status.ts";

export interface HealthReporterOptions {
  readonly sockets: readonly string[];
  /** Whose plugins these are: unique among all that report. */
  readonly node: string;
  readonly everyMs: number;
  readonly writeTimeoutMs: number;
  /** In whose `status.encryptionStatus.healthReports` it reports. */
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
  /** The schema wants one also of a plugin that does not answer: that of before. */
  remoteKeyID: string;
}

const maxText = 1_024;

/** Asks the plugins of a node now and then how they are, all at once, and says so, until the signal aborts. */
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
  const answer = await plugin.service.status(signal).then(
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
    ...answer,
    ...("detail" in answer ? { detail: boundedText(answer.detail ?? "", maxText) } : {}),
  };
}

/** Each node owns its own reports: those of plugins that it no longer has go with its next ones. */
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
  // Names of nodes may be longer than those of field managers.
  const fieldManager = `kms-health-reporter-${createHash("sha256").update(node).digest("hex")}`;
  const within = withTimeout(signal, writeTimeoutMs);
  await api.apply(operator, object, within, { force: true, fieldManager, subresource: "status" });
}
