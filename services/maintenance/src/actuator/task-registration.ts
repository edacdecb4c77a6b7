import { randomUUID } from "node:crypto";
import { type Clock, type Logger, messageOf, timeLimit, withTimeout } from "@keelson/base";
import { create, remove, replace } from "@keelson/database";
import { actuatorWorkers, type ServiceDatabase } from "@keelson/model";

export interface TaskRegistrationOptions {
  readonly database: ServiceDatabase;
  readonly tasks: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Lifetime of a registration in seconds. A registration expires only after more than four failed renewals in succession. */
const ttlSeconds = 300;
const renewalMs = 60_000;
const retryMs = 5_000;
const commitLimitMs = 30_000;

/** Registers the task IDs of a running actuator. The admin API rejects manifests with tasks that no actuator has registered. */
export class TaskRegistration implements AsyncDisposable {
  readonly #options: TaskRegistrationOptions;
  readonly #id = randomUUID();
  readonly #stop = new AbortController();
  readonly #loop: Promise<void>;

  constructor(options: TaskRegistrationOptions) {
    this.#options = options;
    this.#loop = this.#renew();
  }

  /** Removes the registration. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    const { database, logger } = this.#options;
    const { poolWorkers } = database.collections;
    const signal = timeLimit(5_000);
    try {
      const stored = await poolWorkers.find(actuatorWorkers, this.#id, signal);
      if (stored) await database.commit(actuatorWorkers, [remove(poolWorkers, stored)], { signal });
    } catch (error) {
      logger.warn(
        { error: messageOf(error), ttlSeconds },
        "the registration of tasks remains until it expires",
      );
    }
  }

  async #renew(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const waitMs = await this.#write(withTimeout(signal, commitLimitMs)).then(
        () => renewalMs,
        (error: unknown) => {
          if (!signal.aborted) logger.warn({ error: messageOf(error) }, "tasks could not be registered");
          return retryMs;
        },
      );
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { database, tasks } = this.#options;
    const { poolWorkers } = database.collections;
    const stored = await poolWorkers.find(actuatorWorkers, this.#id, signal);
    const document = { id: this.#id, partitionKey: actuatorWorkers, ttlSeconds, tasks };
    const write = stored ? replace(poolWorkers, stored, document) : create(poolWorkers, document);
    const { kind } = await database.commit(actuatorWorkers, [write], { signal });
    if (kind !== "committed") throw new Error(`the database returned "${kind}"`);
  }
}
