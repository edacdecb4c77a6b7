import type { Document, Stored } from "../documents/collection.ts";
import type { Row, SqlValue } from "../drivers/driver.ts";
import type { DocumentKey } from "../encryption/document-codec.ts";
import type { CollectionStore } from "./collection-store.ts";
import { DocumentCache, versionColumn } from "./document-cache.ts";
import type { DocumentQuery } from "./document-query.ts";
import { decodeRow } from "./document-row.ts";
import { prepared } from "./statement-builder.ts";
import { TickBatcher } from "./tick-batcher.ts";

export interface FoundDocument<T extends Document> {
  readonly stored: Stored<T>;
  readonly key: DocumentKey;
  /** Value of the sort column as a string. */
  readonly position: string | null;
}

type Response<T extends Document> = readonly FoundDocument<T>[];

/** Query with the cached documents that its result may contain. */
interface Question<T extends Document> {
  readonly name: string;
  readonly query: DocumentQuery;
  readonly known: ReadonlyMap<string, Stored<T>>;
}

/**
 * Reads documents. The result includes all commits that completed before the read started. Concurrent queries are combined into
 * one statement. If the cached version of a document is current, the response contains only the version.
 */
export class DocumentReader<T extends Document> {
  readonly #store: CollectionStore<T>;
  readonly #cache = new DocumentCache<T>();
  /** Batches of queries, by SQL statement. */
  readonly #batches = new Map<string, TickBatcher<Question<T>, Response<T>>>();

  constructor(store: CollectionStore<T>) {
    this.#store = store;
  }

  /** Returns the documents in query order. */
  async read(query: DocumentQuery, signal: AbortSignal): Promise<Response<T>> {
    const name = JSON.stringify([query.text, query.values]);
    const question = { name, query, known: this.#cache.guess(name) };
    return this.#batchOf(query).get(name, question, signal);
  }

  #batchOf(query: DocumentQuery): TickBatcher<Question<T>, Response<T>> {
    const known = this.#batches.get(query.text);
    if (known) return known;
    const batch = new TickBatcher<Question<T>, Response<T>>((questions, signal) =>
      this.#ask(questions, signal),
    );
    this.#batches.set(query.text, batch);
    return batch;
  }

  async #ask(questions: readonly Question<T>[], signal: AbortSignal): Promise<readonly Response<T>[]> {
    const [first] = questions;
    if (!first) return [];
    const wanted = questions.map(({ query, known }, at) => ({
      at,
      known: [...known.keys()],
      ...Object.fromEntries(query.values.map((value, index): [string, SqlValue] => [`v${index}`, value])),
    }));
    const statement = prepared(statementOf(first.query));
    const rows = await this.#store.connection.query(statement, [JSON.stringify(wanted)], signal);
    const rowsOf = Map.groupBy(rows, (row) => Number(row.at));
    return questions.map((question, at) => this.#documentsOf(question, rowsOf.get(at) ?? []));
  }

  /** Converts rows to documents. A row without a body refers to the cached document. */
  #documentsOf({ name, known }: Question<T>, rows: readonly Row[]): Response<T> {
    const documents = rows.map((row) => {
      const { version, body, position = null } = row;
      const key = { partitionKey: row.partition_key ?? "", id: row.id ?? "" };
      const same = body === null ? known.get(version ?? "") : undefined;
      if (same) return { stored: same, key, position };
      const stored = decodeRow(this.#store, row);
      this.#cache.keep({ key, version: version ?? "", stored }, body?.length ?? 0);
      return { stored, key, position };
    });
    this.#cache.found(
      name,
      documents.map(({ key }) => key),
    );
    return documents;
  }
}

function statementOf({ text, types }: DocumentQuery): string {
  const columns = types.map((type, index) => `, v${index} ${type}`).join("");
  return (
    "select wanted.at::text as at, found.partition_key, found.id, found.etag::text as etag, found.version," +
    " case when wanted.known ? found.version then null else found.body::text end as body," +
    " found.position::text as position" +
    ` from json_to_recordset($1::json) as wanted(at integer, known jsonb${columns})` +
    // The inner limit prevents the planner from reading the complete table instead of using the index.
    ` cross join lateral (select *, ${versionColumn} as version from (${text}) page) found` +
    " order by wanted.at, found.position, found.id, found.partition_key"
  );
}
