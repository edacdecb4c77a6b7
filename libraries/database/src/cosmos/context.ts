import type { Clock, Logger } from "@keelson/base";
import type { Document } from "../documents/collection.ts";
import type { Change } from "../documents/database.ts";
import type { CosmosConnection } from "./connection.ts";
import type { CosmosDefinition } from "./items.ts";
import type { Reservations } from "./reservations.ts";
import type { Turns } from "./turns.ts";

/** Shared objects of one open database. */
export interface CosmosContext {
  readonly connection: CosmosConnection;
  readonly reservations: Reservations;
  /** Definitions by the names of the stored collections. */
  readonly definitions: ReadonlyMap<string, CosmosDefinition<Document>>;
  /**
   * Publishes a change of this process immediately. `etag` is that of the item with which the feed repeats
   * it.
   */
  readonly publishChange: (etag: string, change: Change) => void;
  /** Queues of the commits of this process that have the same condition. */
  readonly turns: Turns;
  readonly logger: Logger;
  readonly clock: Clock;
}
