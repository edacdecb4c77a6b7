import type { AzureResource } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { FilterField, matchesWords } from "../display/filter-field.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { EffectiveRoutesView } from "./effective-routes-view.tsx";
import { detailOfType, shortType } from "./resource-kind.ts";
import { SerialConsoleView } from "./serial-console-view.tsx";

/**
 * Page with the cluster's Azure resources. If the URL names a virtual machine, the page shows its serial console. If it names a
 * network interface, the page shows its effective routes.
 */
export default function AzureResourcesTab({ cluster }: TabProps) {
  const [search] = useSearchParams();
  const [vmName, nic] = [search.get("console") ?? "", search.get("routes") ?? ""];
  if (vmName !== "") return <SerialConsoleView cluster={cluster} vmName={vmName} />;
  if (nic !== "") return <EffectiveRoutesView cluster={cluster} nic={nic} />;
  return <Resources cluster={cluster} />;
}

function Resources({ cluster }: TabProps) {
  const resources = useQuery({ ...queries.azureResources(cluster), retry: false });
  const [filter, setFilter] = useState("");
  const page = `${resourcePath(cluster)}/azureresources`;
  return (
    <QueryView query={resources} subject="the Azure resources">
      {({ resources: all, total }) => (
        <>
          <FilterField label="Filter Azure resources" value={filter} onChange={setFilter} />
          {total > all.length && (
            <p className="faint">
              {all.length} of {total} resources are shown.
            </p>
          )}
          <DataTable
            label="Azure resources"
            className="dense"
            rows={all.filter((each) => matchesWords(filter, Object.values(each).join(" ")))}
            keyOf={({ resourceGroup, type, name }, at) => `${resourceGroup} ${type} ${name} ${at}`}
            initialOrder={{ column: "Type", descending: false }}
            empty="No resource has these words."
            columns={[
              { title: "Name", sortBy: ({ name }) => name, breaks: true },
              {
                title: "Type",
                sortBy: ({ type }) => shortType(type),
                cell: ({ type }) => <span title={type}>{shortType(type) || "–"}</span>,
                breaks: true,
              },
              { title: "Resource Group", sortBy: ({ resourceGroup }) => resourceGroup, breaks: true },
              { title: "Location", sortBy: ({ location }) => location },
              {
                title: "State",
                sortBy: ({ provisioningState }) => provisioningState,
                cell: ({ provisioningState }) =>
                  provisioningState === "" ? "–" : <StateLabel state={provisioningState} />,
              },
              {
                title: "Power",
                sortBy: ({ powerState }) => powerState,
                cell: ({ powerState }) => (powerState === "" ? "–" : <PowerState state={powerState} />),
              },
              { title: "More", cell: (resource) => <DetailLink page={page} resource={resource} /> },
            ]}
          />
        </>
      )}
    </QueryView>
  );
}

function PowerState({ state }: { readonly state: string }) {
  return <StateLabel state={state} status={state.toLowerCase() === "running" ? "success" : "warning"} />;
}

interface DetailLinkProps {
  readonly page: string;
  readonly resource: AzureResource;
}

function DetailLink({ page, resource: { name, type } }: DetailLinkProps) {
  const detail = detailOfType(type);
  if (!detail) return "–";
  return (
    <Link
      href={`${page}?${new URLSearchParams({ [detail]: name })}`}
      aria-label={detail === "console" ? `Serial console of ${name}` : `Effective routes of ${name}`}
    >
      {detail === "console" ? "Serial console" : "Effective routes"}
    </Link>
  );
}
