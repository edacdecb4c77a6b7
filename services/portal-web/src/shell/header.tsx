import { Button } from "@patternfly/react-core";
import GlobeIcon from "@patternfly/react-icons/dist/esm/icons/globe-icon";
import ShieldIcon from "@patternfly/react-icons/dist/esm/icons/shield-alt-icon";
import UserIcon from "@patternfly/react-icons/dist/esm/icons/user-icon";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { queries } from "../api/queries.ts";
import { alertsPath } from "../navigation/alerts-path.ts";
import { SearchButton } from "../search/search-button.tsx";
import { EnvironmentBanner } from "./environment-banner.tsx";
import { RegionsPanel } from "./regions-panel.tsx";
import { UserPanel } from "./user-panel.tsx";

/** Page header with the region, the signed-in person and links to other regions. */
export function Header({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const { data: info } = useQuery(queries.info);
  return (
    <header className="masthead">
      <Button
        id="RegionNavButton"
        variant="plain"
        aria-label="Regions"
        icon={<GlobeIcon />}
        popoverTarget="RegionsPanel"
      />
      <RegionsPanel />
      <Link href="/" className="brand">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        <span>ARO Portal{info ? ` (${info.location})` : ""}</span>
      </Link>
      <Link href={alertsPath} className="header-link">
        Alerts
      </Link>
      <SearchButton />
      {info?.banner && <EnvironmentBanner banner={info.banner} />}
      {info && (
        <>
          <Button
            id="UserButton"
            className="user-button"
            variant="plain"
            icon={info.elevated ? <ShieldIcon /> : <UserIcon />}
            popoverTarget="UserPanel"
            aria-label={`${info.username}${info.elevated ? ", elevated" : ""}`}
          >
            <span className="username">{info.username}</span>
          </Button>
          <UserPanel info={info} onSignedOut={onSignedOut} />
        </>
      )}
    </header>
  );
}
