import { Button, Label } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ClusterSummary } from "../../api/clusters.ts";
import { ConfirmButton } from "../display/confirm-button.tsx";
import { Failure, QueryView } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { useUrlParameter } from "../display/use-url-parameter.ts";
import { queries } from "../requests/queries.ts";
import { useChange } from "../requests/use-change.ts";
import { ClusterDetail } from "./cluster-detail.tsx";
import { clusterKey, clusterOfKey, clusterPath } from "./cluster-path.ts";
import { NewClusterForm } from "./new-cluster-form.tsx";

/** Page that lists the service's clusters and contains a form for new clusters. */
export function ClustersPage() {
  const clusters = useQuery({ ...queries.clusters, refetchInterval: 3_000 });
  const remove = useChange("clusters");
  const [shown, setShown] = useUrlParameter("cluster");
  const [isCreating, setCreating] = useState(false);
  const columns: readonly Column<ClusterSummary>[] = [
    {
      title: "Name",
      cell: (cluster) => (
        <Button variant="link" isInline onClick={() => setShown(clusterKey(cluster))}>
          {cluster.name}
        </Button>
      ),
    },
    { title: "State", cell: ({ state }) => <StateLabel state={state} /> },
    { title: "Version", cell: ({ version }) => version },
    { title: "Visibility", cell: ({ visibility }) => visibility },
    { title: "Masters", cell: ({ masterSize }) => `3 × ${masterSize}` },
    { title: "Workers", cell: ({ workers, workerSize }) => `${workers} × ${workerSize}` },
    {
      title: "Action",
      cell: (cluster) => (
        <ConfirmButton
          label={`Delete cluster ${cluster.name}`}
          isDisabled={remove.isPending || cluster.state === "Deleting"}
          onConfirm={() => remove.mutate({ method: "DELETE", path: clusterPath(cluster) })}
        >
          Delete
        </ConfirmButton>
      ),
    },
  ];
  return (
    <QueryView query={clusters} subject="clusters">
      {(view) => (
        <>
          <Table
            label="Clusters"
            columns={columns}
            rows={view.clusters}
            keyOf={({ id }) => id}
            empty="The service has no cluster."
          />
          {remove.error && <Failure error={remove.error} title="Cannot delete the cluster" />}
          {isCreating ? (
            <NewClusterForm choices={view} onDone={() => setCreating(false)} />
          ) : (
            <Button onClick={() => setCreating(true)}>Create a cluster</Button>
          )}
          {shown !== "" && (
            <ClusterDetail key={shown} path={clusterPath(clusterOfKey(shown))} onClose={() => setShown("")} />
          )}
        </>
      )}
    </QueryView>
  );
}

function StateLabel({ state }: { readonly state: string }) {
  const status = { Succeeded: "success", Failed: "danger" } as const;
  const known = Object.entries(status).find(([each]) => each === state)?.[1] ?? "info";
  return (
    <Label isCompact variant="outline" status={known}>
      {state}
    </Label>
  );
}
