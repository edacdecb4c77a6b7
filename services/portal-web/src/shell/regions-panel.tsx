import { SearchInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";

/** Panel with links to the portals of other regions. */
export function RegionsPanel() {
  const regions = useQuery(queries.regions);
  const [filter, setFilter] = useState("");
  return (
    <section id="RegionsPanel" className="panel" popover="auto" aria-label="Regions">
      <h2>Regions</h2>
      <QueryView query={regions} subject="regions">
        {(all) =>
          all.regions.length === 0 ? (
            <p>No other regions are configured.</p>
          ) : (
            <>
              <SearchInput
                aria-label="Filter on region name"
                placeholder="Filter on region name"
                value={filter}
                onChange={(_, value) => setFilter(value)}
                onClear={() => setFilter("")}
              />
              <ul>
                {all.regions
                  .filter(({ name }) => name.includes(filter.trim().toLowerCase()))
                  .map(({ name, url }) => (
                    <li key={name}>
                      <a href={url}>{name}</a>
                    </li>
                  ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </section>
  );
}
