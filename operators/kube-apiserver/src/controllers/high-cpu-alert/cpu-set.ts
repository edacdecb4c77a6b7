const maxCpu = 65_535;

/** How many CPUs a list as Linux has it names: `0-3,8` are five. @throws Error for a text that is no such list */
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
    throw new Error(`${JSON.stringify(text)} is no CPU or range of CPUs such as 0-3`);
  return range;
}
