/** Notation of a quantity: `12e6`, `12M` or `12Mi`. Serialization preserves the notation. */
type Format = "DecimalExponent" | "DecimalSI" | "BinarySI";

/** Quantity in billionths of the unit (k8s.io/apimachinery resource.Quantity). */
export interface Quantity {
  readonly nano: bigint;
  readonly format: Format;
}

/** Smallest unit that a field can represent. Resource lists use milli. */
export type Precision = "nano" | "milli";

const nanoExponent = -9;
const milliExponent = -3;
/** Value of `Quantity.nano` for the quantity 1. */
export const one = 10n ** 9n;
const kibi = 1024n;
/** Maximum quantity with a binary suffix. Quantities with other suffixes have no maximum. */
const maxBinary = (2n ** 63n - 1n) * one;
const decimalExponents = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const decimalSuffixes = new Map([...decimalExponents].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * Maximum length of a quantity in characters, and maximum exponent. Larger quantities are unrealistic and would only cost time.
 */
const maxLength = 128;
const maxExponent = 1_000;

const formatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixMessage = "unable to parse quantity's suffix";
const lengthMessage = `quantities have at most ${maxLength} characters`;

interface Parts {
  readonly sign: string;
  /** Integer digits without leading zeros. Default: `0`. */
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
  readonly format: Format;
}

/** Parses a quantity. Returns undefined if it is invalid. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = partsOf(text);
  return typeof parts === "string" ? undefined : amountOf(parts);
}

/** Returns the error of an invalid quantity, or undefined if it is valid. */
export function quantityFault(text: string): string | undefined {
  const parts = partsOf(text);
  return typeof parts === "string" ? parts : undefined;
}

/**
 * Formats a quantity like kube-apiserver, in the unit with the fewest digits. A string that Kubernetes accepts as canonical is
 * unchanged. Returns undefined for an invalid quantity.
 */
export function canonicalQuantity(text: string, precision: Precision): string | undefined {
  if (/^[1-9]\d{0,2}[mkMGTP]?$/.test(text)) return text;
  const parts = partsOf(text);
  if (typeof parts === "string") return undefined;
  if (isKept(parts, precision)) return text.trim();
  const value = amountOf(parts);
  return formatQuantity(precision === "milli" ? roundedToMilli(value) : value);
}

export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return "0";
  const magnitude = nano < 0n ? -nano : nano;
  // A sum may exceed the range of binary suffixes. If such a sum were written with a binary suffix, parsing would return a
  // smaller value.
  const isBinary = format === "BinarySI" && magnitude >= kibi * one && magnitude <= maxBinary;
  if (isBinary && nano % one === 0n) {
    let [value, unit] = [nano / one, 0];
    while (unit < binarySuffixes.length - 1 && value % kibi === 0n) [value, unit] = [value / kibi, unit + 1];
    return `${value}${binarySuffixes[unit]}`;
  }
  let [value, exponent] = [nano, nanoExponent];
  while (value % 1000n === 0n) [value, exponent] = [value / 1000n, exponent + 3];
  const suffix = format === "DecimalExponent" ? undefined : decimalSuffixes.get(exponent);
  return `${value}${suffix ?? (exponent === 0 ? "" : `e${exponent}`)}`;
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** Returns a quantity such as `500m` or `1Gi` as the nearest number. Returns NaN for an invalid quantity. */
export function quantityOf(text: string): number {
  const quantity = parseQuantity(text);
  return quantity ? Number(quantity.nano) / Number(one) : Number.NaN;
}

/** Returns the components of a quantity, or an error message. */
function partsOf(given: string): Parts | string {
  if (given.length > maxLength) return lengthMessage;
  const found = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(given.trim());
  if (!found?.[0]) return formatMessage;
  const [, sign = "", digits = "", fraction = "", suffix = ""] = found;
  const [exponent, format] = unitOf(suffix) ?? [];
  if (exponent === undefined || format === undefined) return suffixMessage;
  return { sign, whole: digits.replace(/^0+/, "") || "0", fraction, exponent, format };
}

function unitOf(suffix: string): readonly [exponent: number, format: Format] | undefined {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return [decimal, "DecimalSI"];
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return [10 * binary, "BinarySI"];
  const exponent = /^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : Number.NaN;
  return Math.abs(exponent) <= maxExponent ? [exponent, "DecimalExponent"] : undefined;
}

function amountOf({ sign, whole, fraction, exponent, format }: Parts): Quantity {
  const binary = format === "BinarySI";
  const shift = (binary ? 0 : exponent) - fraction.length - nanoExponent;
  const digits = BigInt(whole + fraction) * (binary ? 2n ** BigInt(exponent) : 1n);
  const exact = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedUp(digits, 10n ** BigInt(-shift));
  const magnitude = binary && exact > maxBinary ? maxBinary : exact;
  return {
    nano: sign === "-" ? -magnitude : magnitude,
    format: binary && magnitude > 0n && magnitude < one ? "DecimalSI" : format,
  };
}

/** Rounds up to the precision, so that a small request never becomes zero. */
function roundedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

function roundedToMilli({ nano, format }: Quantity): Quantity {
  const milli = 10n ** BigInt(milliExponent - nanoExponent);
  const magnitude = roundedUp(nano < 0n ? -nano : nano, milli) * milli;
  return { nano: nano < 0n ? -magnitude : magnitude, format };
}

/**
 * True if Kubernetes does not reformat the string. Kubernetes keeps the original notation of canonical numbers that fit into 64
 * bits.
 * @see kubernetes/apimachinery pkg/api/resource/quantity.go (ParseQuantity)
 */
function isKept({ whole, fraction, exponent, format }: Parts, precision: Precision): boolean {
  const digits = whole + fraction;
  if (format === "BinarySI") {
    const spare = 14 - whole.length - Math.trunc(exponent * 0.3);
    return fraction === "" && spare >= 0 && BigInt(whole) % 8n !== 0n;
  }
  const scale = exponent - fraction.length;
  const least = precision === "milli" ? milliExponent : nanoExponent;
  if (digits.length > 18 || scale < least) return false;
  return scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}
