import type { ClusterProperties } from "@keelson/model";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** Value that the monitor sends for a cluster: metric, value, specific dimensions. */
export type Figure = readonly [metric: string, value: number, dimensions: Readonly<Record<string, string>>];

type Figures = readonly Figure[] | ((cluster: SimulatedCluster) => Promise<readonly Figure[]>);

/** Fault of a cluster, and all metrics of one collector with and without it. */
export interface Illness {
  readonly collector: string;
  readonly title: string;
  /** Version of the cluster. It then needs a separate cluster. */
  readonly openShiftVersion?: string;
  /** Changes the cluster's document during the illness. */
  readonly change?: (properties: ClusterProperties) => ClusterProperties;
  /** Starts the illness and resolves to its repair. */
  readonly begin?: (cluster: SimulatedCluster) => Promise<() => Promise<unknown> | unknown>;
  readonly well: Figures;
  readonly ill: Figures;
}

export async function figuresOf(figures: Figures, cluster: SimulatedCluster): Promise<readonly Figure[]> {
  return typeof figures === "function" ? figures(cluster) : figures;
}

/** Returns the fault of the simulation, which lasts until the cluster is repaired. */
export function fault(
  kind: Parameters<SimulatedCluster["world"]["simulated"]["faults"]["set"]>[0]["kind"],
  parameters: Readonly<Record<string, string | number>> = {},
): NonNullable<Illness["begin"]> {
  return async ({ world }) => {
    const { id } = world.simulated.faults.set({ kind, parameters });
    return () => world.simulated.faults.clear(id);
  };
}

/** Returns the only metric of a failed collector. */
export const failed = (collector: string): Figure => ["monitor.cluster.collector.error", 1, { collector }];
