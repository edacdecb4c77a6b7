import type { ComponentType } from "react";
import type { StatisticsPage } from "../api/statistics-page.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import type { TabName } from "../navigation/tabs.ts";

const statistics = (page: StatisticsPage) => async () => {
  const { StatisticsTab } = await import("../statistics/statistics-tab.tsx");
  return { default: ({ cluster }: TabProps) => <StatisticsTab cluster={cluster} page={page} /> };
};

type Load = () => Promise<{ readonly default: ComponentType<TabProps> }>;

/**
 * Functions that load the code of a cluster's pages. Each page is loaded when it is first opened. The overview needs no function,
 * because it is part of the main bundle.
 */
export const loadTab = {
  Timeline: () => import("../timeline/timeline-tab.tsx"),
  Activity: () => import("../history/activity-tab.tsx"),
  Alerts: () => import("../alerts/alerts-tab.tsx"),
  ClusterOperators: () => import("../inside/cluster-operators-tab.tsx"),
  Nodes: () => import("../inside/nodes-tab.tsx"),
  Machines: () => import("../inside/machines-tab.tsx"),
  MachineSets: () => import("../inside/machine-sets-tab.tsx"),
  Events: () => import("../inside/events-tab.tsx"),
  Pods: () => import("../inside/pods-tab.tsx"),
  Resources: () => import("../inside/resources-tab.tsx"),
  AzureResources: () => import("../azure/azure-resources-tab.tsx"),
  APIStatistics: statistics("APIStatistics"),
  KCMStatistics: statistics("KCMStatistics"),
  DNSStatistics: statistics("DNSStatistics"),
  IngressStatistics: statistics("IngressStatistics"),
  Prometheus: () => import("../prometheus/prometheus-tab.tsx"),
  Maintenance: () => import("../maintenance/maintenance-tab.tsx"),
  Upgrade: () => import("../upgrade/upgrade-tab.tsx"),
  Actions: () => import("../actions/actions-tab.tsx"),
  Sessions: () => import("../history/sessions-tab.tsx"),
  Recordings: () => import("../recordings/recordings-tab.tsx"),
} as const satisfies Readonly<Record<Exclude<TabName, "Overview">, Load>>;
