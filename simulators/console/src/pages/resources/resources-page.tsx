import { SearchInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { GroupView } from "../../api/resources.ts";
import { QueryView } from "../display/query-view.tsx";
import { useUrlParameter } from "../display/use-url-parameter.ts";
import { queries } from "../requests/queries.ts";
import { DeleteResource } from "./delete-resource.tsx";
import { GroupResources } from "./group-resources.tsx";
import { NewGroupForm } from "./new-group-form.tsx";
import { NewNetworkForm } from "./new-network-form.tsx";
import { ResourceDetail } from "./resource-detail.tsx";

/** Page of the subscription's resources, grouped by resource group and type. */
export function ResourcesPage() {
  const groups = useQuery({ ...queries.groups, refetchInterval: 5_000 });
  const [filter, setFilter] = useUrlParameter("filter", { replaces: true });
  const [shown, setShown] = useUrlParameter("resource");
  return (
    <QueryView query={groups} subject="resource groups">
      {(view) => {
        const matching = view.groups.filter(({ name }) =>
          name.toLowerCase().includes(filter.trim().toLowerCase()),
        );
        return (
          <>
            <div className="row">
              <NewGroupForm />
            </div>
            <NewNetworkForm groups={view.groups.filter(({ managedBy }) => managedBy === undefined)} />
            <h2>
              Subscription <span className="mono">{view.subscriptionId}</span>
            </h2>
            <div className="row">
              <SearchInput
                className="filter"
                aria-label="Filter resource groups"
                placeholder="Filter by name"
                value={filter}
                onChange={(_, value) => setFilter(value)}
                onClear={() => setFilter("")}
              />
              <span role="status">{matching.length} resource groups</span>
            </div>
            {view.isCut && <p>The subscription has more resource groups than this page shows.</p>}
            {shown !== "" && <ResourceDetail id={shown} onClose={() => setShown("")} />}
            {matching.map((group) => (
              <Group key={group.id} group={group} onShow={setShown} />
            ))}
          </>
        );
      }}
    </QueryView>
  );
}

interface GroupProps {
  readonly group: GroupView;
  readonly onShow: (id: string) => void;
}

/** Expandable resource group. Its resources are loaded when the user opens it. */
function Group({ group, onShow }: GroupProps) {
  const { id, name, location, managedBy, state } = group;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name}{" "}
        <span className="hint">{[location, state, managedBy && "managed"].filter(Boolean).join(" · ")}</span>
      </summary>
      {isOpen && (
        <>
          {managedBy !== undefined && <p className="mono">managed by {managedBy}</p>}
          <GroupResources group={name} onShow={onShow} />
          <div className="actions">
            <DeleteResource id={id} name={`resource group ${name}`}>
              Delete resource group
            </DeleteResource>
          </div>
        </>
      )}
    </details>
  );
}
