/** Text of input that is a number when it has the form of one (POSIX awk, Expressions: numeric strings). */
export class InputText {
  readonly text: string;
  readonly number: number | undefined;

  constructor(text: string) {
    this.text = text;
    this.number = numeric.test(text) ? Number(text) : undefined;
  }
}

/** `undefined` is a variable that was never set: `0` and the empty text. */
export type Value = number | string | InputText | undefined;

const numeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;
const leading = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/;

/** The number at the beginning of a text, and 0 where there is none. */
export function numberOf(value: Value): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  if (typeof value !== "string") return value.number ?? numberOf(value.text);
  const [found] = leading.exec(value.slice(0, 400)) ?? [];
  return found === undefined ? 0 : Number(found);
}

/** Whole numbers as they are, others as `%.6g` (CONVFMT) says. */
export function textOf(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "number") return value.text;
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? String(value) : general(value, 6);
}

export function truthOf(value: Value): boolean {
  if (typeof value === "object") return value.number === undefined ? value.text !== "" : value.number !== 0;
  return value !== undefined && value !== 0 && value !== "";
}

/** Negative, zero or positive: as numbers when both are some or have that form, otherwise as texts. */
export function compare(left: Value, right: Value): number {
  const a = asNumber(left);
  const b = asNumber(right);
  if (a !== undefined && b !== undefined) return a - b;
  const [x, y] = [textOf(left), textOf(right)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function asNumber(value: Value): number | undefined {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  return typeof value === "string" ? undefined : value.number;
}

/** A number as C's `%g`. */
export function general(value: number, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const digits = Math.max(precision, 1);
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= digits) {
    const [mantissa = "", power = ""] = value.toExponential(digits - 1).split("e");
    return `${trimmed(mantissa)}e${power.startsWith("-") ? "-" : "+"}${power.replace(/^[+-]/, "").padStart(2, "0")}`;
  }
  return trimmed(value.toFixed(Math.min(100, digits - 1 - exponent)));
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
