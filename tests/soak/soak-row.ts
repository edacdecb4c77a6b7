/** Measured values of one process. */
export interface ProcessMeasures {
  readonly role: string;
  readonly pid: number;
  /** Used heap and memory of buffers after a collection, in MiB. Worker threads have their own heaps: see `pssMib`. */
  readonly liveMib: number;
  readonly pssMib: number;
  readonly files: number;
  /** Active timers, sockets, requests and handles of Node.js. */
  readonly resources: number;
}

/** A start of `keelson up`. */
export interface SegmentRow {
  readonly kind: "segment";
  readonly state: string;
}

/** Values at one moment between two rounds, and the work since the previous row of the segment. */
export interface MeasureRow {
  readonly kind: "measure";
  readonly seconds: number;
  /** Hours by which the simulated Azure's clock moved since the previous row. */
  readonly movedHours: number;
  readonly rounds: number;
  readonly failures: readonly string[];
  readonly processes: readonly ProcessMeasures[];
  /** Bytes of the files in the state directory, by the first part of their path. */
  readonly bytes: Readonly<Record<string, number>>;
}

/** Contents of the database at the end of a segment. */
export interface TablesRow {
  readonly kind: "tables";
  readonly rows: Readonly<Record<string, number>>;
}

export type SoakRow = SegmentRow | MeasureRow | TablesRow;

/** Measures of one run of `keelson up`, in order. */
export interface Segment {
  readonly state: string;
  readonly measures: readonly MeasureRow[];
}

export function segmentsOf(rows: readonly SoakRow[]): readonly Segment[] {
  const segments: { state: string; measures: MeasureRow[] }[] = [];
  for (const row of rows) {
    if (row.kind === "segment") segments.push({ state: row.state, measures: [] });
    else if (row.kind === "measure") segments.at(-1)?.measures.push(row);
  }
  return segments;
}

export interface Progress {
  /** State directory of the last segment. Undefined without a segment. */
  readonly state: string | undefined;
  /** Hours at the true time. The moved hours have their own rounds. */
  readonly hours: number;
  readonly movedHours: number;
  readonly rounds: number;
}

/** Sum of all segments, with which a later call continues. */
export function progressOf(rows: readonly SoakRow[]): Progress {
  const segments = segmentsOf(rows);
  const measures = segments.flatMap((segment) => segment.measures);
  const sum = (value: (row: MeasureRow) => number) => measures.reduce((total, row) => total + value(row), 0);
  return {
    state: segments.at(-1)?.state,
    hours: sum(({ seconds, movedHours }) => (movedHours > 0 ? 0 : seconds / 3_600)),
    movedHours: sum(({ movedHours }) => movedHours),
    rounds: sum(({ rounds }) => rounds),
  };
}
