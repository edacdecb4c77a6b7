import type { QueryClient } from "@tanstack/react-query";
import { parseClusterPath } from "./api/cluster-path.ts";
import { queries } from "./api/queries.ts";
import { loadTab } from "./cluster/pages.tsx";
import { alertsPath } from "./navigation/alerts-path.ts";
import { sessionsPath } from "./navigation/sessions-path.ts";
import { findTab } from "./navigation/tabs.ts";

export const loadClusterPage = () => import("./cluster/cluster-page.tsx");
export const loadAlertsPage = () => import("./alerts/fleet-alerts-page.tsx");
export const loadSessionsPage = () => import("./history/sessions-page.tsx");

/**
 * Requests the data of a page before the page is rendered. Without this function, the components would request the data later and
 * one after the other.
 */
export function preload(path: string, client: QueryClient): void {
  void client.prefetchQuery(queries.info);
  const of = parseClusterPath(path);
  const tab = of && findTab(of.tab);
  if (path === sessionsPath) loadSessionsPage().catch(() => undefined);
  else if (!of) {
    if (path === alertsPath) loadAlertsPage().catch(() => undefined);
    void client.prefetchQuery(queries.clusters);
  } else if (tab) {
    void client.prefetchQuery(queries.cluster(of.cluster));
    const loads = tab === "Overview" ? [loadClusterPage] : [loadClusterPage, loadTab[tab]];
    // Errors are ignored here, because the page itself reports load failures.
    for (const load of loads) load().catch(() => undefined);
  }
}
