import { Button, Label } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link, useRoute } from "wouter";
import { queries } from "../requests/queries.ts";
import { useChange } from "../requests/use-change.ts";
import { pageTitles } from "./page-titles.ts";

/** Page header with the console's name, navigation and external links. */
export function Header({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const { data: info } = useQuery(queries.info);
  const signOut = useChange("info");
  return (
    <>
      <header className="masthead">
        <Link href="/" className="brand">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span>Simulated world</span>
        </Link>
        <Label color="orange" isCompact>
          simulated
        </Label>
        <span className="end">
          {info?.portal && (
            <a href={info.portal} target="_blank" rel="noreferrer">
              Portal
            </a>
          )}
          {info && (
            <Button
              variant="link"
              isInline
              onClick={() =>
                signOut.mutate({ method: "POST", path: "/api/sign-out" }, { onSuccess: onSignedOut })
              }
            >
              Sign out
            </Button>
          )}
        </span>
      </header>
      <nav className="pages" aria-label="Pages">
        {Object.entries(pageTitles).map(([path, title]) => (
          <PageLink key={path} path={path} title={title} />
        ))}
      </nav>
    </>
  );
}

function PageLink({ path, title }: { readonly path: string; readonly title: string }) {
  const [isShown] = useRoute(path);
  return (
    <Link
      href={path}
      className={isShown ? "page-link shown" : "page-link"}
      aria-current={isShown ? "page" : undefined}
    >
      {title}
    </Link>
  );
}
