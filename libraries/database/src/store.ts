import type { Logger } from "@keelson/base";
import type { CollectionDefinition, Document } from "./collection.ts";
import type { DocumentCodec } from "./document-codec.ts";
import type { ColumnTypes } from "./document-query.ts";
import type { Connection } from "./driver.ts";
import type { Keyring } from "./keyring.ts";
import type { Table } from "./table.ts";

/** What the parts of one collection share. */
export interface CollectionStore<T extends Document> {
  readonly connection: Connection;
  readonly definition: CollectionDefinition<T>;
  readonly table: Table;
  readonly columnTypes: ColumnTypes;
  readonly codec: DocumentCodec<T>;
  readonly keyring: Keyring;
  readonly logger: Logger;
}
