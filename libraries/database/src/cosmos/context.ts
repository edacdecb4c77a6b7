import type { Clock, Logger } from "@keelson/base";
import type { Document } from "../documents/collection.ts";
import type { Change } from "../documents/database.ts";
import type { CosmosConnection } from "./connection.ts";
import type { CosmosDefinition } from "./items.ts";
import type { Reservations } from "./reservations.ts";
import type { Turns } from "./turns.ts";

/** Dependencies of one open database. */
export interface CosmosContext {
  readonly connection: CosmosConnection;
  readonly reservations: Reservations;
  /** Definitions by collection name. */
  readonly definitions: ReadonlyMap<string, CosmosDefinition<Document>>;
  /** Publishes a change of this process immediately. `etag` is the version of the item that the feed will report. */
  readonly publishChange: (etag: string, change: Change) => void;
  /** Serializes the commits of this process that have a condition on the same document. */
  readonly turns: Turns;
  readonly logger: Logger;
  readonly clock: Clock;
}
