import type { ClusterProperties } from "@keelson/model";
import type { SimulatedCluster } from "../simulated-cluster.ts";

/** Metric of a cluster: its name, its value, and the dimensions in addition to those of the cluster. */
export type Figure = readonly [metric: string, value: number, dimensions: Readonly<Record<string, string>>];

type Figures = readonly Figure[] | ((cluster: SimulatedCluster) => Promise<readonly Figure[]>);

/** Fault of a cluster, with all metrics that one collector sends with and without the fault. */
export interface Illness {
  readonly collector: string;
  readonly title: string;
  /** OpenShift version of the cluster. A fault with this property needs a separate cluster. */
  readonly openShiftVersion?: string;
  /** Change of the cluster's document while the fault exists. */
  readonly change?: (properties: ClusterProperties) => ClusterProperties;
  /** Creates the fault and resolves to a function that repairs it. */
  readonly begin?: (cluster: SimulatedCluster) => Promise<() => Promise<unknown> | unknown>;
  readonly well: Figures;
  readonly ill: Figures;
}

export async function figuresOf(figures: Figures, cluster: SimulatedCluster): Promise<readonly Figure[]> {
  return typeof figures === "function" ? figures(cluster) : figures;
}

/** Returns a function that sets a fault in the simulation and resolves to a function that clears the fault. */
export function fault(
  kind: Parameters<SimulatedCluster["world"]["simulated"]["faults"]["set"]>[0]["kind"],
  parameters: Readonly<Record<string, string | number>> = {},
): NonNullable<Illness["begin"]> {
  return async ({ world }) => {
    const { id } = world.simulated.faults.set({ kind, parameters });
    return () => world.simulated.faults.clear(id);
  };
}

/** Returns the only metric that a failed collector sends. */
export const failed = (collector: string): Figure => ["monitor.cluster.collector.error", 1, { collector }];
