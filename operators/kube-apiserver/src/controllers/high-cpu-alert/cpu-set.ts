const maxCpu = 65_535;

/**
 * Returns the number of CPUs in a Linux CPU list. For example, `0-3,8` has five.
 * @throws Error for an invalid list
 */
export function cpusIn(list: string): number {
  const ranges = list.trim() === "" ? [] : list.trim().split(",").map(parseRange);
  const cpus = new Set<number>();
  for (const [first, last] of ranges) for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  return cpus.size;
}

function parseRange(text: string): readonly [first: number, last: number] {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = [Number(first), Number(last)] as const;
  if (first === undefined || range[0] > range[1] || range[1] > maxCpu)
    throw new Error(`${JSON.stringify(text)} is not a CPU or range of CPUs such as 0-3`);
  return range;
}
