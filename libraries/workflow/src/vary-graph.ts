import { type Graph, GraphBuilder, type Step } from "./graph.ts";

/** Differences of a graph from its base. The compiler checks all step names. */
export interface Variation<Context, Base extends string, Dropped extends Base, All extends string> {
  /** Removed steps. Each value lists the steps that replace the removed step in the needs of other steps. */
  readonly replaced?: { readonly [Name in Dropped]: readonly NoInfer<All>[] };
  /** Declares the steps that the base does not contain. */
  readonly added: (kept: GraphBuilder<Context, Exclude<Base, Dropped>>) => GraphBuilder<Context, All>;
  /** Additional needs of base steps. */
  readonly needs?: { readonly [Name in Exclude<Base, Dropped>]?: readonly NoInfer<All>[] };
}

/** Returns the graph `base` with the changes in `variation`. */
export function varyGraph<Context, Base extends string, All extends string, Dropped extends Base = never>(
  base: Graph<Context, Base>,
  name: string,
  { replaced, added, needs }: Variation<Context, Base, Dropped, All>,
): Graph<Context, All> {
  const instead: Readonly<Record<string, readonly string[]>> = replaced ?? {};
  const besides: Readonly<Record<string, readonly string[] | undefined>> = needs ?? {};
  const isKept = (step: Step<Context, Base>): step is Step<Context, Exclude<Base, Dropped>> =>
    !Object.hasOwn(instead, step.name);
  const kept = base.steps.filter(isKept).map((each) => ({
    ...each,
    needs: [...each.needs.flatMap((need) => instead[need] ?? [need]), ...(besides[each.name] ?? [])],
  }));
  return added(new GraphBuilder(name, kept)).build();
}
