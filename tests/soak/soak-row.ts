/** Measurements of one process. */
export interface ProcessMeasures {
  readonly role: string;
  readonly pid: number;
  /** Used heap and buffers after garbage collection in MiB. Excludes the heaps of worker threads, which `pssMib` includes. */
  readonly liveMib: number;
  readonly pssMib: number;
  readonly files: number;
  /** Number of active Node.js timers, sockets, requests and handles. */
  readonly resources: number;
}

/** Row for a start of `keelson up`. */
export interface SegmentRow {
  readonly kind: "segment";
  readonly state: string;
}

/** Row with measurements between two rounds and the work since the previous row. */
export interface MeasureRow {
  readonly kind: "measure";
  readonly seconds: number;
  /** Hours by which the simulated Azure's clock was moved since the previous row. */
  readonly movedHours: number;
  readonly rounds: number;
  readonly failures: readonly string[];
  readonly processes: readonly ProcessMeasures[];
  /** File sizes in the state directory in bytes, by the first path component. */
  readonly bytes: Readonly<Record<string, number>>;
}

/** Row with the database contents at the end of a segment. */
export interface TablesRow {
  readonly kind: "tables";
  readonly rows: Readonly<Record<string, number>>;
}

export type SoakRow = SegmentRow | MeasureRow | TablesRow;

/** Measurements of one run of `keelson up`, in order. */
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
  /** State directory of the last segment. Undefined if there is no segment. */
  readonly state: string | undefined;
  /** Real-time duration of the rounds in hours. Excludes rounds before which the simulated clock was moved. */
  readonly hours: number;
  readonly movedHours: number;
  readonly rounds: number;
}

/** Returns the total progress of all segments. A later call of the program continues from this progress. */
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
