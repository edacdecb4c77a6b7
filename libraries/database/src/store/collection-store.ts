import type { Logger } from "@keelson/base";
import type { CollectionDefinition, Document } from "../documents/collection.ts";
import type { Table } from "../documents/table.ts";
import type { Connection } from "../drivers/driver.ts";
import type { DocumentCodec } from "../encryption/document-codec.ts";
import type { Keyring } from "../encryption/keyring.ts";
import type { ColumnTypes } from "./document-query.ts";

/** Dependencies of one collection. */
export interface CollectionStore<T extends Document> {
  readonly connection: Connection;
  readonly definition: CollectionDefinition<T>;
  readonly table: Table;
  readonly columnTypes: ColumnTypes;
  readonly codec: DocumentCodec<T>;
  readonly keyring: Keyring;
  readonly logger: Logger;
}
