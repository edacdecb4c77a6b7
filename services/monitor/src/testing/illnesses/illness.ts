import type { ClusterProperties } from "@keelson/model";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** A value that the monitor sends of a cluster: metric, value, dimensions of its own. */
export type Figure = readonly [metric: string, value: number, dimensions: Readonly<Record<string, string>>];

type Figures = readonly Figure[] | ((cluster: SimulatedCluster) => Promise<readonly Figure[]>);

/** Something wrong with a cluster, and all that one collector says of it with and without. */
export interface Illness {
  readonly collector: string;
  readonly title: string;
  /** Of the cluster, which is one of its own then. */
  readonly openShiftVersion?: string;
  /** To the cluster's document while it is ill. */
  readonly change?: (properties: ClusterProperties) => ClusterProperties;
  /** Resolves to what makes the cluster well again. */
  readonly begin?: (cluster: SimulatedCluster) => Promise<() => Promise<unknown> | unknown>;
  readonly well: Figures;
  readonly ill: Figures;
}

export async function figuresOf(figures: Figures, cluster: SimulatedCluster): Promise<readonly Figure[]> {
  return typeof figures === "function" ? figures(cluster) : figures;
}

/** The fault of the simulation, until the cluster is to be well again. */
export function fault(
  kind: Parameters<SimulatedCluster["world"]["simulated"]["faults"]["set"]>[0]["kind"],
  parameters: Readonly<Record<string, string | number>> = {},
): NonNullable<Illness["begin"]> {
  return async ({ world }) => {
    const { id } = world.simulated.faults.set({ kind, parameters });
    return () => world.simulated.faults.clear(id);
  };
}

/** What a collector that failed says in place of anything else. */
export const failed = (collector: string): Figure => ["monitor.cluster.collector.error", 1, { collector }];
