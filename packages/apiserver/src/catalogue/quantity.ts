const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a quantity such as `500m` or `1Gi` stands for; NaN for a text that is none. */
export function quantityOf(text: string): number {
  const [, number = "", suffix = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+))(.*)$/.exec(text) ?? [];
  if (number === "") return Number.NaN;
  if (suffix === "") return Number(number);
  const factor = factors[suffix];
  if (factor !== undefined) return Number(number) * factor;
  return /^[eE][+-]?\d+$/.test(suffix) ? Number(number + suffix) : Number.NaN;
}
