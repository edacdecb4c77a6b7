import type { Maintenance, MaintenanceManifestView } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useRequestFlow } from "../actions/request-flow.tsx";
import type { ClusterRef } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { type Column, DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatTime } from "../display/time.ts";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { PlanForm } from "./plan-form.tsx";

/** Page with the cluster's maintenance: planned tasks, finished tasks, and a form for a new task. */
export default function MaintenanceTab({ cluster }: TabProps) {
  const maintenance = useQuery(queries.maintenance(cluster));
  return (
    <QueryView query={maintenance} subject="maintenance">
      {(data) => <MaintenanceView cluster={cluster} data={data} />}
    </QueryView>
  );
}

const cancelAction = "POST maintenancemanifests/:manifestId/cancel";

function MaintenanceView({ cluster, data }: { readonly cluster: ClusterRef; readonly data: Maintenance }) {
  const flow = useRequestFlow(cluster, false);
  const { data: info } = useQuery(queries.info);
  const mayChange = info !== undefined && info.role !== "reader";
  const isNext = ({ state }: MaintenanceManifestView) => state === "Pending" || state === "InProgress";
  const cancel: Column<MaintenanceManifestView> = {
    title: "Change",
    cell: ({ id, state, taskName, runAfter }) =>
      state === "Pending" && (
        <Button
          size="sm"
          variant="secondary"
          isDisabled={flow.isPending || !mayChange}
          aria-label={`Cancel ${taskName} of ${formatTime(runAfter)}`}
          onClick={() => flow.start({ action: cancelAction, query: { manifestId: id } })}
        >
          Cancel
        </Button>
      ),
  };
  return (
    <>
      <h3>Next runs</h3>
      <DataTable
        label="Next runs"
        rows={data.manifests.filter(isNext)}
        keyOf={({ id }) => id}
        initialOrder={{ column: "Not Before", descending: false }}
        empty="No maintenance is planned."
        columns={[...columns, cancel]}
      />
      <h3>Plan maintenance</h3>
      <PlanForm tasks={data.tasks} isDisabled={flow.isPending || !mayChange} onPlan={flow.start} />
      {flow.view}
      <h3>Earlier runs</h3>
      <DataTable
        label="Maintenance manifests"
        rows={data.manifests.filter((each) => !isNext(each))}
        keyOf={({ id }) => id}
        initialOrder={{ column: "Not Before", descending: true }}
        empty="No maintenance was done lately."
        columns={[...columns, { title: "Result", cell: ({ statusText }) => statusText || "–", breaks: true }]}
      />
    </>
  );
}

const columns: readonly Column<MaintenanceManifestView>[] = [
  { title: "Task", sortBy: ({ taskName }) => taskName, breaks: true },
  { title: "State", sortBy: ({ state }) => state, cell: ({ state }) => <StateLabel state={state} /> },
  { title: "Priority", sortBy: ({ priority }) => priority },
  { title: "Not Before", sortBy: ({ runAfter }) => runAfter, isTime: true },
  {
    title: "Not After",
    sortBy: ({ runBefore }) => runBefore ?? "",
    cell: ({ runBefore }) => <TimeText at={runBefore ?? ""} />,
  },
  {
    title: "Schedule",
    sortBy: ({ createdBySchedule }) => createdBySchedule ?? "",
    cell: ({ createdBySchedule }) => createdBySchedule ?? "–",
    breaks: true,
  },
];
