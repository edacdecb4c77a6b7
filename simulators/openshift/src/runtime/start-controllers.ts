import { type Clock, type Logger, messageOf } from "@keelson/base";
import { type Cache, type Controller, ControllerGroup } from "@keelson/controller";

/** Maximum number of concurrent keys per controller. A slow Azure call must not block other keys. */
const concurrency = 16;
const maxRetryMs = 30_000;

export interface ControllersDeps<Context> {
  /** Running cache. */
  readonly cache: Cache;
  readonly context: Context;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts controllers after the cache has synced. Disposal stops them. */
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
