import type { Clock, Logger } from "@keelson/base";
import type { Document } from "../documents/collection.ts";
import type { Change } from "../documents/database.ts";
import type { CosmosConnection } from "./connection.ts";
import type { CosmosDefinition } from "./items.ts";
import type { Reservations } from "./reservations.ts";
import type { Turns } from "./turns.ts";

/** What the parts of one open database share. */
export interface CosmosContext {
  readonly connection: CosmosConnection;
  readonly reservations: Reservations;
  /** By the names under which collections are stored. */
  readonly definitions: ReadonlyMap<string, CosmosDefinition<Document>>;
  /** Publishes a change of this process at once; `etag` is that of the item with which the feed repeats it. */
  readonly publishChange: (etag: string, change: Change) => void;
  /** Of the commits of this process that have a condition in common. */
  readonly turns: Turns;
  readonly logger: Logger;
  readonly clock: Clock;
}
