import { messageOf } from "@keelson/base";
import type { WriteBlock, WriteProbe } from "../drivers/write-gate.ts";
import type { CosmosConnection } from "./connection.ts";
import { statusOf, translate } from "./unavailable.ts";

/** Statuses of an account that accepts no writes: a read-only region, a missing permission, a full partition. */
const refusedStatuses: readonly (number | string | undefined)[] = [403, 507];
/** Statuses of an unavailable write region. A single response with such a status is normal in Cosmos DB. */
const failedStatuses: readonly (number | string | undefined)[] = [408, 449, 500, 503];
/** Number of consecutive failures after which writes are blocked. */
const maxFailures = 2;

/** Probes writes with the upsert of one small item in the container `control`. A failed upsert is not retried. */
export class UpsertProbe implements WriteProbe {
  readonly #connection: CosmosConnection;
  #failures = 0;
  #abort = new AbortController();

  constructor(connection: CosmosConnection) {
    this.#connection = connection;
  }

  /** @throws errors of the SDK */
  async commit(): Promise<void> {
    this.#abort = new AbortController();
    try {
      await this.#connection.probe(this.#abort.signal);
      this.#failures = 0;
    } catch (error) {
      this.#failures = failedStatuses.includes(statusOf(error)) ? this.#failures + 1 : 0;
      throw error;
    }
  }

  refusal(error: unknown): string | undefined {
    const isRefused = refusedStatuses.includes(statusOf(error)) || this.#failures >= maxFailures;
    return isRefused
      ? `Cosmos DB refuses writes. ${messageOf(translate(error, this.#connection.endpoint))}`
      : undefined;
  }

  async stalled(limitMs: number): Promise<WriteBlock> {
    const reason = `Writes do not end within ${limitMs / 1_000} s. See the metrics and the health of the Cosmos DB account.`;
    return { cause: "timeout", reason };
  }

  reset(): void {
    this.#abort.abort();
  }
}
