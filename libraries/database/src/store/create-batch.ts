import type { CommitResult, QueueLimit } from "../documents/database.ts";
import type { Connection, Row, SqlValue } from "../drivers/driver.ts";
import { sqlFailure } from "../drivers/driver.ts";
import { announceLater } from "./announcer.ts";
import { insertedColumns, preparedWrites, type ResolvedWrite, requireRoom } from "./commit-statement.ts";
import { prepared, type ValuePlaces, type ValueType } from "./statement-builder.ts";
import { TickBatcher } from "./tick-batcher.ts";

/** Commit that contains only creations and conditions. */
interface Creation {
  readonly partitionKey: string;
  readonly writes: readonly ResolvedWrite[];
  readonly row: Readonly<Record<string, SqlValue>>;
}

/**
 * Result of each commit in a statement that the server rejected. Each of these commits is then retried separately to find the
 * invalid one.
 */
const refused = Symbol("refused");

/**
 * Combines concurrent commits of independent new documents into one statement and one disk flush. If the server rejects the
 * statement, the commits are retried separately.
 */
export class CreateBatch {
  readonly #connection: Connection;
  readonly #announcesLater: boolean;
  /** Batches of commits, by the shape of their SQL statement. */
  readonly #batches = new Map<string, TickBatcher<Creation, CommitResult | typeof refused>>();
  #number = 0;

  constructor(connection: Connection, announcesLater: boolean) {
    this.#connection = connection;
    this.#announcesLater = announcesLater;
  }

  /**
   * Commits in a batch with other commits. Returns `undefined` if the commit must run separately. Nothing was written in that
   * case.
   */
  async commit(
    partitionKey: string,
    writes: readonly ResolvedWrite[],
    queueLimit: QueueLimit | undefined,
    signal: AbortSignal,
  ): Promise<CommitResult | undefined> {
    if (writes.length > preparedWrites) return undefined;
    // All writes are checked before any write is encrypted. If a write is unsuitable, the commit runs separately and encrypts its
    // writes itself.
    if (!writes.every(({ write }) => write.kind === "unchanged" || (write.kind === "create" && !write.lease)))
      return undefined;
    const places = new RowPlaces();
    const room = queueLimit && roomOf(places, partitionKey, queueLimit);
    const parts = writes.map((each) => partOf(places, partitionKey, each, room !== undefined));
    const shape = shapeOf(places.types, writes, queueLimit?.collection);
    const batch =
      this.#batches.get(shape) ??
      this.#batchOf(shape, statementOf(places.types, parts, room, this.#announcesLater));
    const creation = { partitionKey, writes, row: places.row };
    const result = await batch.get(String(this.#number++), creation, signal);
    return result === refused ? undefined : result;
  }

  #batchOf(shape: string, text: string): TickBatcher<Creation, CommitResult | typeof refused> {
    const statement = prepared(text);
    const batch = new TickBatcher<Creation, CommitResult | typeof refused>(async (creations, signal) => {
      const values = [JSON.stringify(creations.map(({ row }) => row))];
      try {
        const rows = await this.#connection.query(statement, values, signal);
        return resultsOf(creations, rows);
      } catch (error) {
        if (sqlFailure(error)) return creations.map(() => refused);
        throw error;
      }
    });
    this.#batches.set(shape, batch);
    return batch;
  }
}

/** Collects the values of one commit as a JSON object. The statement reads it as a row named `wanted`. */
class RowPlaces implements ValuePlaces {
  readonly row: Record<string, SqlValue> = {};
  readonly types: string[] = [];

  value(value: SqlValue | undefined, type: ValueType): string {
    const name = `c${this.types.length}`;
    // JSON values are passed as strings, because the parser of the outer JSON would reject or change some content.
    this.types.push(type === "json" ? "text" : type);
    this.row[name] = value ?? null;
    return type === "json" ? `${name}::json` : name;
  }
}

interface Part {
  readonly isCondition: boolean;
  readonly sql: string;
}

/**
 * Returns SQL that checks each partition's queue limit once. All statements check partitions in the same order, which prevents
 * deadlocks.
 */
function roomOf(places: RowPlaces, partitionKey: string, { collection, max }: QueueLimit): string {
  const partition = places.value(partitionKey, "text");
  const most = places.value(max, "bigint");
  const commits = `select ${partition} as partition, count(*) as added, min(${most}) as most from wanted group by 1 order by 1`;
  return `select count(${requireRoom(collection, "partition", "added", "most")}) as asked from (${commits}) commits`;
}

function partOf(places: RowPlaces, partitionKey: string, each: ResolvedWrite, hasLimit: boolean): Part {
  const { write, table, id } = each;
  if (write.kind === "create") {
    const { names, values } = insertedColumns(places, each, write.document);
    // Writes nothing unless the queue has room for all documents.
    const condition = hasLimit ? " where (select asked from room) > 0" : "";
    const insert = `insert into ${table.name} (${names}) select ${values} from wanted${condition}`;
    return { isCondition: false, sql: `${insert} returning partition_key, id, etag` };
  }
  const row = [
    `t.partition_key = ${places.value(partitionKey, "text")}`,
    `t.id = ${places.value(id, "text")}`,
    `t.etag::text = ${places.value("etag" in write ? write.etag : null, "text")}`,
  ].join(" and ");
  const sql = `select t.partition_key, t.id, t.etag from wanted join ${table.name} t on ${row} for share of t`;
  return { isCondition: true, sql };
}

/**
 * Returns a short key that is equal for all commits with the same statement. The collections and their optional columns determine
 * the statement. The types in the key identify the optional columns. Building and comparing the statements of frequent commits
 * would be too slow.
 */
function shapeOf(
  types: readonly string[],
  writes: readonly ResolvedWrite[],
  limited: string | undefined,
): string {
  const tables = writes.map(({ write, table }) => `${write.kind} ${table.name}`);
  return `${limited ?? ""} ${tables.join()} ${types.join()}`;
}

/**
 * Builds the statement of a batch. The statement fails if any condition is not met. Each commit is then retried separately to
 * find the failed condition.
 */
function statementOf(
  types: readonly string[],
  parts: readonly Part[],
  room: string | undefined,
  announcesLater: boolean,
): string {
  const columns = types.map((type, index) => `c${index} ${type}`).join(", ");
  const expressions = [
    `wanted as materialized (select * from json_to_recordset($1::json) as wanted(${columns}))`,
    ...(room === undefined ? [] : [`room as materialized (${room})`]),
    ...parts.map(({ sql }, index) => `write${index} as (${sql})`),
  ];
  const responses = parts.map(
    (_, index) => `select '${index}' as write, partition_key, id, etag::text from write${index}`,
  );
  const later = announcesLater ? `, (select ${announceLater}) as later` : "";
  const effects = parts.flatMap(({ isCondition }, index) => {
    if (!isCondition) return [];
    const holds = `(select count(*) from write${index}) = (select count(*) from wanted)`;
    return [`(select require_effect(case when ${holds} then 'all' end, ${index})) as holds${index}`];
  });
  const all = [`answers.*${later}`, ...effects].join(", ");
  return `with ${expressions.join(",\n")}\nselect ${all} from (${responses.join(" union all ")}) answers`;
}

function resultsOf(creations: readonly Creation[], rows: readonly Row[]): readonly CommitResult[] {
  const etags = new Map(
    rows.map(({ write, partition_key, id, etag }) => [nameOf(write, partition_key, id), etag]),
  );
  return creations.map(({ partitionKey, writes }) => ({
    kind: "committed",
    etags: writes.map(({ id }, index) => etags.get(nameOf(`${index}`, partitionKey, id)) ?? ""),
  }));
}

function nameOf(...parts: readonly (string | null | undefined)[]): string {
  return parts.join("\0");
}
