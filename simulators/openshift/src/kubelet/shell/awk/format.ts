import { general, numberOf, textOf, type Value } from "./values.ts";

const maxWidth = 10_000;

/** The text that awk's `printf` makes: conversions `d i o x X u c s e E f F g G %`, flags, widths and precisions. */
export function formatted(format: string, values: readonly Value[]): string {
  let used = 0;
  const take = (): Value => values[used++];
  return format.replace(
    /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?([diouxXcsaAeEfFgG%])/g,
    (whole, flags: string, wide: string | undefined, exact: string | undefined, kind: string) => {
      if (kind === "%") return "%";
      const count = (text: string | undefined): number | undefined =>
        text === undefined ? undefined : text === "*" ? numberOf(take()) : Number(text);
      const width = count(wide) ?? 0;
      const precision = count(exact) ?? (/^%[^.]*\./.test(whole) ? 0 : undefined);
      if (Math.abs(width) > maxWidth || (precision ?? 0) > maxWidth)
        throw new Error("printf: the width is too large");
      const text = converted(kind, take(), precision, flags);
      const left = flags.includes("-") || width < 0;
      if (left) return text.padEnd(Math.abs(width));
      if (!flags.includes("0") || kind === "s" || kind === "c") return text.padStart(width);
      const [, sign = "", digits = ""] = /^([+ -]?)(.*)$/s.exec(text) ?? [];
      return sign + digits.padStart(width - sign.length, "0");
    },
  );
}

function converted(kind: string, value: Value, precision: number | undefined, flags: string): string {
  if (kind === "s") return textOf(value).slice(0, precision);
  if (kind === "c") return typeof value === "number" ? codePoint(value) : ([...textOf(value)][0] ?? "");
  const number = numberOf(value);
  const signed = (text: string) =>
    number >= 0 && flags.includes("+") ? `+${text}` : number >= 0 && flags.includes(" ") ? ` ${text}` : text;
  const digits = Math.min(precision ?? 6, 100);
  if (/[gG]/.test(kind)) return signed(cased(general(number, digits), kind));
  if (!Number.isFinite(number)) return signed(general(number, 6));
  if (/[fF]/.test(kind)) return signed(number.toFixed(digits));
  if (/[eE]/.test(kind))
    return signed(cased(number.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2"), kind));
  const whole = Math.trunc(number);
  const base = kind === "o" ? 8 : /[xX]/.test(kind) ? 16 : 10;
  const magnitude = BigInt(Math.abs(whole))
    .toString(base)
    .padStart(precision ?? 0, "0");
  return signed(`${whole < 0 ? "-" : ""}${kind === "X" ? magnitude.toUpperCase() : magnitude}`);
}

function cased(text: string, kind: string): string {
  return kind === kind.toUpperCase() ? text.toUpperCase() : text;
}

function codePoint(number: number): string {
  const code = Math.trunc(number);
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
