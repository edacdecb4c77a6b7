import type { JournalRecord } from "./journal.ts";

/** Records on their way between threads: the values in one buffer, which is handed over and not copied. */
export interface PackedRecords {
  readonly rows: readonly PackedRow[];
  readonly values: ArrayBuffer;
}

/** `size` is -1 for a deletion; otherwise that many of the values' bytes, in the order of the rows, are its own. */
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

/** The values are views into the packed buffer. */
export function unpackRecords({ rows, values }: PackedRecords): readonly JournalRecord[] {
  let at = 0;
  return rows.map(({ size, ...row }) => {
    if (size < 0) return { ...row, value: undefined };
    const value = new Uint8Array(values, at, size);
    at += size;
    return { ...row, value };
  });
}
