import { SearchInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ApplicationView, RoleAssignmentView } from "../../api/directory.ts";
import { QueryView } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { useUrlParameter } from "../display/use-url-parameter.ts";
import { queries } from "../requests/queries.ts";

const applications: readonly Column<ApplicationView>[] = [
  { title: "Application", cell: ({ displayName }) => displayName },
  { title: "Client ID", cell: ({ clientId }) => <span className="mono">{clientId}</span> },
  { title: "Secrets", cell: ({ secrets }) => secrets },
  { title: "Certificates", cell: ({ certificates }) => certificates },
];

const roleAssignments: readonly Column<RoleAssignmentView>[] = [
  { title: "Principal", cell: ({ principal }) => principal },
  { title: "Type", cell: ({ principalType }) => principalType },
  { title: "Role", cell: ({ role }) => role },
  { title: "Scope", cell: ({ scope }) => <span className="mono">{scope}</span> },
];

/** Page of the tenant's applications and the subscription's role assignments. */
export function DirectoryPage() {
  const directory = useQuery(queries.directory);
  const [filter, setFilter] = useUrlParameter("filter", { replaces: true });
  const wanted = filter.trim().toLowerCase();
  const matches = (row: object) =>
    Object.values(row).some((each) => String(each).toLowerCase().includes(wanted));
  return (
    <QueryView query={directory} subject="the directory">
      {(view) => (
        <>
          <SearchInput
            className="filter"
            aria-label="Filter the directory"
            placeholder="Filter by any text"
            value={filter}
            onChange={(_, value) => setFilter(value)}
            onClear={() => setFilter("")}
          />
          {view.isCut && <p>The directory has more entries than this page shows.</p>}
          <h2>Applications</h2>
          <Table
            label="Applications"
            columns={applications}
            rows={view.applications.filter(matches)}
            keyOf={({ clientId }) => clientId}
            empty="No application matches."
          />
          <h2>Role assignments</h2>
          <Table
            label="Role assignments"
            columns={roleAssignments}
            rows={view.roleAssignments.filter(matches)}
            keyOf={({ id }) => id}
            empty="No role assignment matches."
          />
        </>
      )}
    </QueryView>
  );
}
