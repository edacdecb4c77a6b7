/** Event of a recording: either output, or a resize of the terminal. */
export interface CastEvent {
  /** Time of the event in seconds since the start of the recording. */
  readonly seconds: number;
  readonly kind: "o" | "r";
  readonly data: string;
}

export interface Cast {
  readonly columns: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
  /** Time of the last event in seconds. */
  readonly seconds: number;
}

/** Maximum terminal width in columns. A limit is necessary, because SSH clients can report any size. */
const mostColumns = 500;
const mostRows = 200;
const usual = { columns: 80, rows: 24 };

/**
 * Parses the valid part of an asciicast, version 2. The end of a recording may be missing if the portal was killed.
 * @throws Error for other content
 */
export function parseCast(text: string): Cast {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  const { version, width, height } = Object(read(first));
  if (version !== 2) throw new Error("This is no asciicast of version 2.");
  const events = lines.flatMap((line) => eventOf(read(line)));
  return { ...sizeOf(width, height), events, seconds: events.at(-1)?.seconds ?? 0 };
}

/** Parses the terminal size of a resize event, for example `120x40`. */
export function sizeIn(data: string): { readonly columns: number; readonly rows: number } {
  const [width, height] = data.split("x").map(Number);
  return sizeOf(width, height);
}

function sizeOf(width: unknown, height: unknown) {
  return {
    columns: within(width, mostColumns) ?? usual.columns,
    rows: within(height, mostRows) ?? usual.rows,
  };
}

function within(value: unknown, most: number): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Math.min(Number(value), most) : undefined;
}

function eventOf(value: unknown): readonly CastEvent[] {
  if (!Array.isArray(value)) return [];
  const [seconds, kind, data] = value;
  const isEvent = typeof seconds === "number" && (kind === "o" || kind === "r") && typeof data === "string";
  return isEvent ? [{ seconds, kind, data }] : [];
}

function read(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
