import { Readiness } from "@keelson/http";
import { serveMetrics } from "../metrics/serve-metrics.ts";
import { type PartsOptions, type ServiceParts, startParts } from "./start-parts.ts";

/** Process of one role. Disposal stops the role. */
export interface RoleProcess extends AsyncDisposable {
  readonly metricsUrl: string;
}

interface Role {
  /** Starts the role. Disposing `stack` stops it. */
  readonly start: (stack: AsyncDisposableStack, parts: ServiceParts) => Promise<{ ready(): boolean }>;
  /** Reason in readiness responses while the role is not ready. */
  readonly notReady: string;
}

/** Starts a role with a separate database connection. Serves its metrics and its readiness. */
export async function startRoleProcess(
  options: PartsOptions,
  { start, notReady }: Role,
): Promise<RoleProcess> {
  await using stack = new AsyncDisposableStack();
  const { config, clock, logger } = options;
  const { host, metricsPort } = config;
  const parts = await startParts(stack, options);
  const role = await start(stack, parts);
  const readiness = new Readiness({
    database: parts.environment.database,
    own: () => (role.ready() ? undefined : { reason: notReady }),
    clock,
    logger,
  });
  const server = stack.use(
    await serveMetrics({ metrics: parts.metrics, host, port: metricsPort, readiness }),
  );
  const kept = stack.move();
  return { metricsUrl: server.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
