import { aborted, createLogger, type Metrics, systemClock } from "@keelson/base";
import type { ConfigSource, ServiceConfig } from "@keelson/env";
import { runSupervised, type Serve } from "../supervisor/supervised-process.ts";
import type { FromWorker, ToWorker, WorkerSettings } from "./worker-messages.ts";

export interface RpWorkerOptions {
  readonly config: ServiceConfig;
  readonly source: ConfigSource<ServiceConfig>;
  readonly logLevel: string;
  readonly withMaintenance: boolean;
  readonly withMonitor: boolean;
  readonly withPortal: boolean;
}

/** Runs one process of `keelson rp --processes N` until its parent process stops it. */
export async function runRpWorker(options: RpWorkerOptions): Promise<void> {
  const { config, source, logLevel, withMaintenance, withMonitor, withPortal } = options;
  await runSupervised<WorkerSettings>(async () => {
    const { startService } = await import("../roles/service.ts");
    const serve: Serve<WorkerSettings> = async ({ isFirst }, { signal, send, receive }) => {
      const logger = createLogger({ level: logLevel });
      const post = (message: FromWorker) => send({ kind: "message", message });
      await using service = await startService({
        config,
        source,
        withMaintenance,
        withMonitor,
        withPortal,
        share: { isFirst },
        clock: systemClock,
        logger,
        signal,
      });
      receive((message) => void respond(service.metrics, message as ToWorker, post));
      post({ kind: "url", url: service.url });
      send({ kind: "serving" });
      await aborted(signal);
      logger.info("draining");
    };
    return { serve };
  });
}

async function respond(
  metrics: Metrics,
  { id }: ToWorker,
  post: (message: FromWorker) => void,
): Promise<void> {
  post({ kind: "metrics", id, metrics: await metrics.json() });
}
