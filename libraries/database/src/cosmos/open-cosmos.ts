import { type Clock, messageOf, poll } from "@keelson/base";
import { ChangeFeed } from "../change-feed/change-feed.ts";
import type { Document } from "../documents/collection.ts";
import type { Collections, Database, Definitions } from "../documents/database.ts";
import type { OpenStoreOptions } from "../drivers/document-driver.ts";
import { WriteGate, type WriteProbeTimes } from "../drivers/write-gate.ts";
import { documentCodec } from "../encryption/document-codec.ts";
import { CosmosChanges } from "./changes.ts";
import { commit } from "./commit.ts";
import { type CosmosAddress, CosmosConnection } from "./connection.ts";
import { ensureContainers } from "./containers.ts";
import type { CosmosContext } from "./context.ts";
import { cosmosCollection } from "./cosmos-collection.ts";
import { cosmosQueue } from "./cosmos-queue.ts";
import type { CosmosDefinition } from "./items.ts";
import { Reservations } from "./reservations.ts";
import { Turns } from "./turns.ts";
import { UpsertProbe } from "./upsert-probe.ts";

export interface CosmosOptions extends CosmosAddress {
  /** Polling interval of the change feed. Default: 1,000 ms. */
  readonly changePollMs?: number;
  /** Times of the write probe. Default: every 10,000 ms with a limit of 5,000 ms. A probe costs about 6 request units. */
  readonly writeProbe?: WriteProbeTimes;
}

const defaultChangePollMs = 1_000;
const defaultWriteProbe: WriteProbeTimes = { everyMs: 10_000, limitMs: 5_000 };
const sweepIntervalMs = 60_000;

/** Age in ms after which the process of an unfinished commit is considered crashed. */
const unsettledAgeMs = 300_000;

/** Opens a store. All delays of the store use `clock`. */
export async function openCosmos<D extends Definitions>(
  { changePollMs = defaultChangePollMs, writeProbe = defaultWriteProbe, ...address }: CosmosOptions,
  { definitions, keyring, logger, signal, use = "all", observer }: OpenStoreOptions<D>,
  clock: Clock,
): Promise<Database<D>> {
  const stack = new AsyncDisposableStack();
  try {
    const connection = stack.use(new CosmosConnection(address, clock));
    await ensureContainers(connection, address.databaseName, signal);
    const gate =
      use === "reads"
        ? undefined
        : stack.use(
            new WriteGate({
              probe: new UpsertProbe(connection),
              ...writeProbe,
              onChange: (state) => observer?.writes(state),
              clock,
              logger,
            }),
          );
    if (gate) connection.useGate(gate);
    const stores = Object.entries(definitions).map(([name, definition]) => {
      const codec = documentCodec<Document>(definition, keyring);
      const store: CosmosDefinition<Document> = { definition, codec, keyring };
      return { name, store };
    });
    const changes = new CosmosChanges(connection, clock, changePollMs);
    const reservations = new Reservations(connection, clock);
    const context: CosmosContext = {
      connection,
      reservations,
      turns: new Turns(),
      definitions: new Map(stores.map(({ store }) => [store.definition.name, store])),
      publishChange: changes.publishChange,
      logger,
      clock,
    };
    const feed = stack.use(new ChangeFeed((listener, ending) => changes.listen(listener, ending), logger));
    if (use !== "reads") stack.use(startHousekeeping(context));
    // The cast is safe, because the type distinguishes collections by the same rule as `collectionOf`.
    const collections = Object.fromEntries(
      stores.map(({ name, store }) => [name, collectionOf(context, store)]),
    ) as unknown as Collections<D>;
    return {
      collections,
      commit: (partitionKey, writes, commitOptions) => commit(context, partitionKey, writes, commitOptions),
      changes: (ending) => feed.subscribe(ending),
      writes: () => gate?.state ?? { kind: "accepted" },
      firstProbe: async () => gate?.first,
      ping: async (pingSignal) => {
        await connection.read(connection.control, "layout", "layout", pingSignal);
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function collectionOf(context: CosmosContext, store: CosmosDefinition<Document>) {
  return store.definition.queued ? cosmosQueue(context, store) : cosmosCollection(context, store);
}

/**
 * Starts a periodic task that removes the reservations of crashed commits. Expired items need no task, because Cosmos DB removes
 * them.
 */
function startHousekeeping({ connection, reservations, logger, clock }: CosmosContext): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const onError = (error: unknown) =>
    logger.warn({ reason: messageOf(error) }, "the sweep failed; it will be tried again");
  const running = poll({ everyMs: sweepIntervalMs, clock, signal, onError }, async () => {
    const usage = connection.takeUsage();
    if (usage.throttled > 0) logger.warn({ ...usage }, throttledMessage);
    else logger.debug({ ...usage }, "what Cosmos DB charged in the last minute");
    await reservations.sweep(unsettledAgeMs, signal);
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

const throttledMessage = "Cosmos DB throttled requests: increase the throughput if this continues";
