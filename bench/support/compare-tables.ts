import { median } from "./median.ts";

/** Numbers of printed benchmark tables by "row, column". */
export type Figures = ReadonlyMap<string, number>;

/**
 * Parses the output of `bench/main.ts`. `printTable` separates cells by at least two spaces and tables by an empty line. Ignores
 * text outside of tables and cells that are not numbers. Reads the output of earlier commits too, so that two checkouts can be
 * compared.
 */
export function parseFigures(output: string): Figures {
  const figures = new Map<string, number>();
  for (const block of output.split(/\n\s*\n/)) {
    const [head = [], ...rows] = block
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => line.split(/ {2,}/));
    for (const [name, ...cells] of rows) {
      // A table in which each row has its own unit. The unit belongs to the name of the figure.
      const unit = head.at(-1) === "unit" ? cells.at(-1) : undefined;
      for (const [at, cell] of cells.entries()) {
        const value = Number(cell);
        if (Number.isFinite(value))
          figures.set(`${name}, ${unit ?? head[at + 1] ?? `column ${at + 2}`}`, value);
      }
    }
  }
  return figures;
}

/** Ratio of one figure between two checkouts over all rounds. */
export interface Comparison {
  readonly name: string;
  /** Medians of all rounds. */
  readonly base: number;
  readonly head: number;
  /** Median, minimum and maximum of the ratios head / base. Each ratio compares two consecutive runs. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
}

export interface Round {
  readonly base: Figures;
  readonly head: Figures;
}

/** Compares the figures that every round contains. Leaves out figures that are 0 in the base, because they have no ratio. */
export function compareRounds(rounds: readonly Round[]): readonly Comparison[] {
  const names = [...(rounds[0]?.base.keys() ?? [])];
  return names.flatMap((name) => {
    const pairs = rounds.flatMap((round) => {
      const [base, head] = [round.base.get(name), round.head.get(name)];
      return base !== undefined && head !== undefined && base !== 0 ? [{ base, head }] : [];
    });
    if (pairs.length < rounds.length) return [];
    const ratios = pairs.map(({ base, head }) => head / base).sort((a, b) => a - b);
    return [
      {
        name,
        base: median(pairs.map(({ base }) => base)),
        head: median(pairs.map(({ head }) => head)),
        ratio: median(ratios),
        least: ratios[0] ?? Number.NaN,
        most: ratios.at(-1) ?? Number.NaN,
      },
    ];
  });
}
