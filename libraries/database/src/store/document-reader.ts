import type { Document, Stored } from "../documents/collection.ts";
import type { Row, SqlValue, Statement } from "../drivers/driver.ts";
import type { DocumentKey } from "../encryption/document-codec.ts";
import type { CollectionStore } from "./collection-store.ts";
import { DocumentCache, type Versioned, versionColumn } from "./document-cache.ts";
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
  readonly known: readonly Versioned<T>[];
}

/** Queries with the same SQL string. */
interface QueryShape<T extends Document> {
  /** Prefix of the names of these queries. */
  readonly prefix: string;
  readonly batch: TickBatcher<Question<T>, Response<T>>;
}

/**
 * Reads documents. The result includes all commits that completed before the read started. Concurrent queries are combined into
 * one statement. If a cached document is current, the database returns only its version, or no row if the query matches at most
 * one document.
 */
export class DocumentReader<T extends Document> {
  readonly #store: CollectionStore<T>;
  readonly #cache = new DocumentCache<T>();
  readonly #shapes = new Map<string, QueryShape<T>>();

  constructor(store: CollectionStore<T>) {
    this.#store = store;
  }

  /** Returns the documents in query order. */
  async read(query: DocumentQuery, signal: AbortSignal): Promise<Response<T>> {
    const { prefix, batch } = this.#shapeOf(query);
    const name = prefix + JSON.stringify(query.values);
    return batch.get(name, { name, query, known: this.#cache.guess(name) }, signal);
  }

  #shapeOf(query: DocumentQuery): QueryShape<T> {
    const known = this.#shapes.get(query.text);
    if (known) return known;
    const statement = prepared(query.isUnique ? uniqueStatementOf(query) : statementOf(query));
    const batch = new TickBatcher<Question<T>, Response<T>>((questions, signal) =>
      this.#ask(statement, questions, signal),
    );
    const shape = { prefix: `${this.#shapes.size} `, batch };
    this.#shapes.set(query.text, shape);
    return shape;
  }

  async #ask(
    statement: Statement,
    questions: readonly Question<T>[],
    signal: AbortSignal,
  ): Promise<readonly Response<T>[]> {
    const wanted = questions.map(wantedRow);
    const rows = await this.#store.connection.query(statement, [JSON.stringify(wanted)], signal);
    const rowsOf = Map.groupBy(rows, (row) => Number(row.at));
    return questions.map((question, at) => {
      const found = rowsOf.get(at) ?? [];
      return question.query.isUnique ? this.#uniqueOf(question, found) : this.#documentsOf(question, found);
    });
  }

  /** Converts the row of a query for at most one document. Without a row, the cached document is current. */
  #uniqueOf({ name, known }: Question<T>, [row]: readonly Row[]): Response<T> {
    if (!row) return known.slice(0, 1).map(({ stored, key }) => ({ stored, key, position: null }));
    if (row.partition_key === null) {
      this.#cache.found(name, []);
      return [];
    }
    const document = this.#decode(row);
    this.#cache.found(name, [document.key]);
    return [document];
  }

  /** Converts rows to documents. A row without a body refers to the cached document. */
  #documentsOf({ name, known }: Question<T>, rows: readonly Row[]): Response<T> {
    const documents = rows.map((row) => {
      const { version, body, position = null } = row;
      const same = body === null ? known.find((each) => each.version === version) : undefined;
      return same ? { stored: same.stored, key: same.key, position } : this.#decode(row);
    });
    this.#cache.found(
      name,
      documents.map(({ key }) => key),
    );
    return documents;
  }

  #decode(row: Row): FoundDocument<T> {
    const { version, body, position = null } = row;
    const key = { partitionKey: row.partition_key ?? "", id: row.id ?? "" };
    const stored = decodeRow(this.#store, row);
    this.#cache.keep({ key, version: version ?? "", stored }, body?.length ?? 0);
    return { stored, key, position };
  }
}

/** Returns the row `wanted` of a query. Missing columns are null. */
function wantedRow<T extends Document>({ query, known }: Question<T>, at: number): object {
  const versions = query.isUnique ? known[0]?.version : known.map(({ version }) => version);
  const row: Record<string, SqlValue | readonly string[] | undefined> = { at, known: versions };
  for (const [index, value] of query.values.entries()) if (value !== null) row[`v${index}`] = value;
  return row;
}

function wantedColumns({ types }: DocumentQuery, known: "text" | "jsonb"): string {
  const columns = types.map((type, index) => `, v${index} ${type}`).join("");
  return `json_to_recordset($1::json) as wanted(at integer, known ${known}${columns})`;
}

function statementOf(query: DocumentQuery): string {
  return (
    "select wanted.at::text as at, found.partition_key, found.id, found.etag::text as etag, found.version," +
    " case when wanted.known ? found.version then null else found.body::text end as body," +
    " found.position::text as position" +
    ` from ${wantedColumns(query, "jsonb")}` +
    // The inner limit prevents the planner from reading the complete table instead of using the index.
    ` cross join lateral (select *, ${versionColumn} as version from (${query.text}) page) found` +
    " order by wanted.at, found.position, found.id, found.partition_key"
  );
}

/**
 * Returns the statement for queries of at most one document. The result has a row only if the document is not cached, has
 * changed, or no longer exists.
 */
function uniqueStatementOf(query: DocumentQuery): string {
  return (
    "select wanted.at::text as at, found.partition_key, found.id, found.etag::text as etag, found.version," +
    ` found.body::text as body from ${wantedColumns(query, "text")}` +
    ` left join lateral (select *, ${versionColumn} as version from (${query.text}) page) found on true` +
    " where found.version is distinct from wanted.known"
  );
}
