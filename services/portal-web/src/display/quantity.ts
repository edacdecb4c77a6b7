const factors: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};
const binary = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/**
 * Formats a Kubernetes quantity in bytes with three digits. Example: `133682156Ki` becomes `127 GiB`. Strings that are not
 * quantities are returned unchanged.
 */
export function formatByteQuantity(quantity: string): string {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)([kMGTP]|[KMGTP]i)?$/.exec(quantity) ?? [];
  return digits === undefined ? quantity : formatBytes(Number(digits) * (factors[suffix] ?? 1));
}

/** Formats bytes with three digits and a binary unit. */
export function formatBytes(bytes: number): string {
  const power = Math.floor(Math.log2(Math.max(1, Math.abs(bytes))) / 10);
  const unit = Math.min(binary.length - 1, power);
  return `${Number((bytes / 1_024 ** unit).toPrecision(3))} ${binary[unit]}B`;
}
