import { type ComponentType, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { ClockPage } from "./clock/clock-page.tsx";
import { ClustersPage } from "./clusters/clusters-page.tsx";
import { DirectoryPage } from "./directory/directory-page.tsx";
import { FaultsPage } from "./faults/faults-page.tsx";
import { RequestsPage } from "./log/requests-page.tsx";
import { OrphansPage } from "./orphans/orphans-page.tsx";
import { ResourcesPage } from "./resources/resources-page.tsx";
import { Header } from "./shell/header.tsx";
import { isPagePath, type PagePath, pageTitles } from "./shell/page-titles.ts";

const pages: Readonly<Record<PagePath, ComponentType>> = {
  "/": ClustersPage,
  "/resources": ResourcesPage,
  "/requests": RequestsPage,
  "/directory": DirectoryPage,
  "/faults": FaultsPage,
  "/clock": ClockPage,
  "/orphans": OrphansPage,
};

interface AppProps {
  /** Reason for the failed sign-in. */
  readonly refusal: string | undefined;
}

export function App({ refusal }: AppProps) {
  const [isSignedOut, setSignedOut] = useState(false);
  if (refusal !== undefined || isSignedOut)
    return (
      <main className="page alone">
        <h1>{isSignedOut ? "You are signed out" : "The link does not sign you in"}</h1>
        <p>
          {refusal ?? (
            <>
              <code>./keelson sim console</code> prints a new link.
            </>
          )}
        </p>
      </main>
    );
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header onSignedOut={() => setSignedOut(true)} />
      <Page />
    </>
  );
}

function Page() {
  const [path] = useLocation();
  const title = isPagePath(path) ? pageTitles[path] : "Page not found";
  const Content = isPagePath(path) ? pages[path] : undefined;
  useEffect(() => {
    document.title = `${title} · Simulated world`;
  }, [title]);
  return (
    <main id="main" className="page" tabIndex={-1}>
      <h1>{title}</h1>
      {Content ? <Content /> : <Link href="/">All clusters</Link>}
    </main>
  );
}
