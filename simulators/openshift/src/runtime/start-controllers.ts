import { type Clock, type Logger, messageOf } from "@keelson/base";
import { type Cache, type Controller, ControllerGroup } from "@keelson/controller";

/** One key's slow call to Azure holds up no other. */
const concurrency = 16;
const maxRetryMs = 30_000;

export interface ControllersDeps<Context> {
  /** It runs. */
  readonly cache: Cache;
  readonly context: Context;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs controllers from when the cache has seen everything that exists; disposal ends them. */
export async function startControllers<Context>(
  controllers: readonly Controller<Context>[],
  deps: ControllersDeps<Context>,
): Promise<AsyncDisposable> {
  const group = new ControllerGroup(controllers, { ...deps, defaults: { concurrency, maxRetryMs } });
  await deps.cache.synced();
  const stop = new AbortController();
  const running = group.run(stop.signal).catch((error: unknown) => {
    deps.logger.error({ error: messageOf(error) }, "controllers ended");
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
