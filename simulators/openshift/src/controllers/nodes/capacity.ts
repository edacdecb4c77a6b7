export interface Capacity {
  readonly cores: number;
  readonly memoryGiB: number;
}

/** Memory per core by family letter. Default: 4 GiB, as in general-purpose sizes (Azure's size tables). */
const memoryPerCoreGiB: Readonly<Record<string, number>> = { e: 8, f: 2, l: 8, m: 16 };

/** Capacity of a VM size, derived from its name (`Standard_{family}{cores}...`). Default: 4 cores. */
export function capacityOf(vmSize: string): Capacity {
  const [, family = "", digits = "4"] = /^standard_([a-z])[a-z]*(\d+)/.exec(vmSize.toLowerCase()) ?? [];
  const cores = Number(digits);
  return { cores, memoryGiB: cores * (memoryPerCoreGiB[family] ?? 4) };
}
