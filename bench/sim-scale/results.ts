import { RowFile } from "../../scripts/row-file.ts";

export const phases = ["nodes", "pods", "idle", "roll", "update"] as const;
export type Phase = (typeof phases)[number];

/** Size of one simulated cluster. */
export interface ScaleSize {
  readonly nodes: number;
  readonly pods: number;
}

/** Measurements of one phase. */
export interface ScaleRow extends ScaleSize {
  readonly phase: Phase;
  readonly seconds: number;
  /** Nodes or pods per second. Undefined for phases without a rate. */
  readonly perSecond?: number | undefined;
  /** CPU time of the cluster process divided by the duration. */
  readonly cores: number;
  readonly rssMib: number;
  /** Growth of the resident memory for each new node or pod in KiB. */
  readonly kibEach?: number | undefined;
  readonly getP50Ms: number;
  readonly getP99Ms: number;
  readonly getMaxMs: number;
  readonly getsFailed: number;
  /** Longest time during which the event loop was blocked. Other processes on the same cores increase it. */
  readonly longestBlockMs: number;
  /** Longest CPU time of one event loop turn. */
  readonly longestTurnMs: number;
}

/** Parses sizes in the format `NODESxPODS,NODESxPODS`. */
export function parseSizes(text: string): readonly ScaleSize[] {
  return text.split(",").map((each) => {
    const [nodes = 0, pods = 0] = each.split("x").map(Number);
    return { nodes, pods };
  });
}

/** Rows of this and earlier runs. Complete sizes are not measured again. */
export class ScaleResults {
  readonly rows: ScaleRow[];
  readonly #file: RowFile<ScaleRow> | undefined;

  /** `file` is the path to which rows are appended. If it is empty, no file is written. */
  constructor(file: string) {
    this.#file = file === "" ? undefined : new RowFile(file);
    this.rows = (this.#file?.rows() ?? []).map(({ at: _at, commit: _commit, ...row }) => row);
  }

  has({ nodes, pods }: ScaleSize, phase: Phase): boolean {
    return this.rows.some((row) => row.nodes === nodes && row.pods === pods && row.phase === phase);
  }

  /** Appends a row. Ignores the row if the file already contains this phase. */
  add(row: ScaleRow): void {
    if (this.has(row, row.phase)) return;
    this.rows.push(row);
    this.#file?.append(row);
  }
}
