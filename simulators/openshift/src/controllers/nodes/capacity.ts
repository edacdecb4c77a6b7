export interface Capacity {
  readonly cores: number;
  readonly memoryGiB: number;
}

/** GiB of memory per core by VM family letter (Azure's size tables). Default: 4 GiB, as in general-purpose sizes. */
const memoryPerCoreGiB: Readonly<Record<string, number>> = { e: 8, f: 2, l: 8, m: 16 };

/**
 * Returns the capacity of a VM size from its name (`Standard_{family}{cores}...`). Assumes 4 cores if the name contains no number
 * of cores.
 */
export function capacityOf(vmSize: string): Capacity {
  const [, family = "", digits = "4"] = /^standard_([a-z])[a-z]*(\d+)/.exec(vmSize.toLowerCase()) ?? [];
  const cores = Number(digits);
  return { cores, memoryGiB: cores * (memoryPerCoreGiB[family] ?? 4) };
}
