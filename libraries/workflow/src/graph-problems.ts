import type { Graph, Step } from "./graph.ts";

/** Returns the problems of graphs that share a journal: duplicate names, unknown needs, cycles. */
export function graphProblems(graphs: readonly Graph<never>[]): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { name: graphName, steps } of graphs) {
    const names = new Set(steps.map((each) => each.name));
    for (const { name, needs } of steps) {
      if (seen.has(name)) problems.push(`${graphName}: the name ${name} is used twice`);
      seen.add(name);
      for (const need of needs) {
        if (!names.has(need)) problems.push(`${graphName}: ${name} needs ${need}, which does not exist`);
      }
    }
    const stuck = unreachable(steps);
    if (stuck.length > 0) problems.push(`${graphName}: never ready: ${stuck.join(", ")}`);
  }
  return problems;
}

function unreachable(steps: readonly Step<never>[]): readonly string[] {
  const done = new Set<string>();
  let waiting = [...steps];
  for (;;) {
    const ready = waiting.filter((each) => each.needs.every((need) => done.has(need)));
    if (ready.length === 0) return waiting.map((each) => each.name);
    for (const each of ready) done.add(each.name);
    waiting = waiting.filter((each) => !done.has(each.name));
  }
}
