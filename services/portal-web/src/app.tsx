import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { parseClusterPath } from "./api/cluster-path.ts";
import { LiveProvider } from "./api/live-provider.tsx";
import { ClustersPage } from "./clusters/clusters-page.tsx";
import { alertsPath } from "./navigation/alerts-path.ts";
import { fleetPages } from "./navigation/fleet-pages.ts";
import { sessionsPath } from "./navigation/sessions-path.ts";
import { findTab } from "./navigation/tabs.ts";
import { Notices } from "./notifications/notices.tsx";
import { loadAlertsPage, loadClusterPage, loadSessionsPage } from "./preload.ts";
import { Header } from "./shell/header.tsx";

const ClusterPage = lazy(loadClusterPage);
const SessionsPage = lazy(loadSessionsPage);
const AlertsPage = lazy(loadAlertsPage);

/** Components of the pages about all clusters. Every entry of `fleetPages` has one. */
const fleetContents: Readonly<Record<(typeof fleetPages)[number]["path"], ComponentType>> = {
  "/": ClustersPage,
  [alertsPath]: AlertsPage,
  [sessionsPath]: SessionsPage,
};

export function App({ client }: { readonly client: QueryClient }) {
  const [isSignedOut, setSignedOut] = useState(false);
  if (isSignedOut)
    return (
      <main className="page alone">
        <h1>You are signed out</h1>
        <a href="/">Sign in again</a>
      </main>
    );
  return (
    <QueryClientProvider client={client}>
      <LiveProvider>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Header onSignedOut={() => setSignedOut(true)} />
        <Notices />
        <Page />
      </LiveProvider>
    </QueryClientProvider>
  );
}

function Page() {
  const [path] = useLocation();
  const of = parseClusterPath(path);
  const tab = of && findTab(of.tab);
  const fleetPage = fleetPages.find((page) => page.path === path);
  const title = of ? `${of.cluster.name} · ${tab ?? ""}` : (fleetPage?.title ?? "Clusters");
  useEffect(() => {
    document.title = `${title} · ARO Portal`;
  }, [title]);
  if (of && tab)
    return (
      <Suspense fallback={<main className="page" aria-busy="true" />}>
        <ClusterPage cluster={of.cluster} tab={tab} />
      </Suspense>
    );
  if (fleetPage) {
    const Content = fleetContents[fleetPage.path];
    return (
      <Suspense fallback={<main className="page" aria-busy="true" />}>
        <Content />
      </Suspense>
    );
  }
  return (
    <main id="main" className="page alone" tabIndex={-1}>
      <h1>There is no such page</h1>
      <Link href="/">All clusters</Link>
    </main>
  );
}
