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

/** Parses a Kubernetes quantity, for example a number of cores or bytes. Returns 0 for an invalid quantity. */
export function parseQuantity(text: string | undefined): number {
  const [, digits, unit = ""] = /^([+-]?[0-9.]+(?:[eE][+-]?\d+)?)([a-zA-Z]{0,2})$/.exec(text ?? "") ?? [];
  const factor = unit === "" ? 1 : factors[unit];
  const value = Number(digits) * (factor ?? Number.NaN);
  return Number.isFinite(value) ? value : 0;
}
