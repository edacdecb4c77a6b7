import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { type TabName, tabGroups, tabPath } from "../navigation/tabs.ts";

interface ClusterNavProps {
  readonly cluster: ClusterRef;
  readonly current: TabName;
}

/** Navigation between the pages of a cluster. */
export function ClusterNav({ cluster, current }: ClusterNavProps) {
  const nav = useRef<HTMLElement>(null);
  // The pages are in one row in a narrow window, and the current one may be scrolled out of view.
  useEffect(() => {
    const link = nav.current?.querySelector(`[href$="/${tabPath(current)}"]`);
    const { left = 0, width = 0 } = link?.getBoundingClientRect() ?? {};
    nav.current?.scrollBy({ left: left - nav.current.clientWidth / 2 + width / 2 });
  }, [current]);
  return (
    <nav ref={nav} className="cluster-nav" aria-label="Pages of the cluster">
      {Object.entries(tabGroups).map(([group, names]) => (
        <div key={group} className="nav-group">
          <div className="nav-title">{group}</div>
          {names.map((name) => (
            <Link
              key={name}
              href={`${resourcePath(cluster)}/${tabPath(name)}`}
              aria-current={name === current ? "page" : undefined}
            >
              <div {...{ name }}>{name}</div>
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
