import type { JournalRecord } from "./journal.ts";

/** Records in a format for transfer between threads. All values share one buffer, which is transferred without copying. */
export interface PackedRecords {
  readonly rows: readonly PackedRow[];
  readonly values: ArrayBuffer;
}

/** Metadata of one record. `size` is the length of the value in bytes, or -1 for a deletion. Values are in row order. */
interface PackedRow {
  readonly log: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
}

export function packRecords(records: readonly JournalRecord[]): PackedRecords {
  const values = new Uint8Array(records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0));
  let at = 0;
  const rows = records.map(({ log, revision, bucket, key, value }): PackedRow => {
    if (value) values.set(value, at);
    at += value?.length ?? 0;
    return { log, revision, bucket, key, size: value?.length ?? -1 };
  });
  return { rows, values: values.buffer };
}

/** Unpacks records. Their values are views of the shared buffer. */
export function unpackRecords({ rows, values }: PackedRecords): readonly JournalRecord[] {
  let at = 0;
  return rows.map(({ size, ...row }) => {
    if (size < 0) return { ...row, value: undefined };
    const value = new Uint8Array(values, at, size);
    at += size;
    return { ...row, value };
  });
}
