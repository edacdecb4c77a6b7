import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { type TabName, tabGroups, tabPath } from "../navigation/tabs.ts";

interface ClusterNavProps {
  readonly cluster: ClusterRef;
  readonly current: TabName;
}

/** Navigation bar with the pages of a cluster. */
export function ClusterNav({ cluster, current }: ClusterNavProps) {
  const nav = useRef<HTMLElement>(null);
  // Scrolls the link of the current page into view. This is necessary in a narrow window, where all links are in one row.
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
