import { bool, double, int, opaqueType, string } from "../values/type.ts";
import { errorValue, type OpaqueValue, type Result } from "../values/value.ts";
import { func, type Library, method } from "./overload.ts";

/** Decimal number `unscaled / 10^scale`. */
interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
}

const typeName = "kubernetes.Quantity";
const type = opaqueType(typeName);
const perTenth = (size = 1) => Math.ceil(size * 0.1);

const binary: Readonly<Record<string, bigint>> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};
const exponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Parses a quantity such as `1.5Gi`, `200m` or `1e3`. Returns undefined if it is invalid. */
function parseQuantity(text: string): Quantity | undefined {
  const found = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d{1,3})?$/.exec(text);
  if (!found || text.length > 200) return undefined;
  const [, sign = "", digits = "", suffix = ""] = found;
  const [whole = "", fraction = ""] = digits.split(".");
  const magnitude = BigInt(`${whole}${fraction}` || "0") * (binary[suffix] ?? 1n);
  const exponent = exponents[suffix] ?? (/^[eE]./.test(suffix) ? Number(suffix.slice(1)) : 0);
  const unscaled = sign === "-" ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return normalized(
    scale < 0 ? { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 } : { unscaled, scale },
  );
}

function normalized({ unscaled, scale }: Quantity): Quantity {
  let value = unscaled;
  let digits = scale;
  while (digits > 0 && value % 10n === 0n) {
    value /= 10n;
    digits--;
  }
  return { unscaled: value, scale: digits };
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  const raised = ({ unscaled, scale: own }: Quantity) => unscaled * 10n ** BigInt(scale - own);
  return [raised(a), raised(b), scale];
}

function order(a: Quantity, b: Quantity): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : Number(left > right);
}

function shift(a: Quantity, b: Quantity, sign: bigint): Quantity {
  const [left, right, scale] = aligned(a, b);
  return normalized({ unscaled: left + sign * right, scale });
}

function boxed(content: Quantity): OpaqueValue {
  return { kind: "opaque", typeName, content, key: `${content.unscaled}e-${content.scale}` };
}

function open({ content }: OpaqueValue): Quantity {
  return isQuantity(content) ? content : { unscaled: 0n, scale: 0 };
}

function isQuantity(content: unknown): content is Quantity {
  return typeof content === "object" && content !== null && "unscaled" in content;
}

function isInteger({ unscaled, scale }: Quantity): boolean {
  return scale === 0 && unscaled < 2n ** 63n && unscaled >= -(2n ** 63n);
}

function asInteger(quantity: Quantity): Result {
  return isInteger(quantity) ? quantity.unscaled : errorValue("cannot convert value to integer");
}

export const quantities: Library = {
  types: { [typeName]: type },
  overloads: [
    func("isQuantity", [string], bool, ([text]) => parseQuantity(text) !== undefined, perTenth),
    func(
      "quantity",
      [string],
      type,
      ([text]) => {
        const quantity = parseQuantity(text);
        return quantity
          ? boxed(quantity)
          : errorValue(
              "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            );
      },
      perTenth,
    ),
    func("sign", [type], int, ([a]) => (open(a).unscaled > 0n ? 1n : open(a).unscaled < 0n ? -1n : 0n)),
    method("isInteger", [type], bool, ([a]) => isInteger(open(a))),
    method("asInteger", [type], int, ([a]) => asInteger(open(a))),
    method("asApproximateFloat", [type], double, ([a]) => {
      const { unscaled, scale } = open(a);
      return Number(`${unscaled}e-${scale}`);
    }),
    method("compareTo", [type, type], int, ([a, b]) => BigInt(order(open(a), open(b)))),
    method("isGreaterThan", [type, type], bool, ([a, b]) => order(open(a), open(b)) > 0),
    method("isLessThan", [type, type], bool, ([a, b]) => order(open(a), open(b)) < 0),
    method("add", [type, type], type, ([a, b]) => boxed(shift(open(a), open(b), 1n))),
    method("add", [type, int], type, ([a, b]) => boxed(shift(open(a), { unscaled: b, scale: 0 }, 1n))),
    method("sub", [type, type], type, ([a, b]) => boxed(shift(open(a), open(b), -1n))),
    method("sub", [type, int], type, ([a, b]) => boxed(shift(open(a), { unscaled: b, scale: 0 }, -1n))),
  ],
};
