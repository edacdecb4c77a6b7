import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { type OverviewRow, overviewRows } from "./overview-rows.ts";

/** What the service knows of the cluster. */
export function Overview({ cluster }: TabProps) {
  const detail = useQuery(queries.cluster(cluster));
  return (
    <QueryView query={detail} subject="the cluster">
      {(data) => (
        <dl className="clusterOverviewList facts">
          {overviewRows(data).map((row, at) => (
            <div key={row.name} data-automationid="ListCell" data-list-index={at}>
              <dt>
                <div data-automationid="DetailsRowCell" data-automation-key="name">
                  {row.name}
                </div>
              </dt>
              <dd>
                <div data-automationid="DetailsRowCell" data-automation-key="value">
                  <Value row={row} />
                </div>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </QueryView>
  );
}

function Value({ row: { name, value, href } }: { readonly row: OverviewRow }) {
  if (href)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {value}
      </a>
    );
  return name === "Provisioning State" ? <StateLabel state={value} /> : value;
}
