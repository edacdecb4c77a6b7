import { Alert, Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ClusterView } from "../../api/clusters.ts";
import { QueryView } from "../display/query-view.tsx";
import { queries } from "../requests/queries.ts";
import { ClusterFaults } from "./cluster-faults.tsx";
import { MachineSets } from "./machine-sets.tsx";
import { Machines } from "./machines.tsx";
import { Updates } from "./updates.tsx";

interface ClusterDetailProps {
  readonly path: string;
  readonly onClose: () => void;
}

/** Shows the machines, machine sets, updates and faults of one cluster. */
export function ClusterDetail({ path, onClose }: ClusterDetailProps) {
  const cluster = useQuery({ ...queries.cluster(path), refetchInterval: 3_000 });
  return (
    <section className="panel detail" aria-label="Cluster">
      <Button variant="link" isInline onClick={onClose}>
        Close the cluster
      </Button>
      <QueryView query={cluster} subject="the cluster">
        {(view) => (
          <>
            <h2>{view.name}</h2>
            <Operation view={view} />
            {view.problem !== undefined && (
              <Alert isInline variant="warning" component="p" title="Some data is not available">
                {view.problem}
              </Alert>
            )}
            <Machines path={path} view={view} />
            <MachineSets path={path} view={view} />
            <Updates path={path} view={view} />
            <ClusterFaults cluster={view.name} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function Operation({ view: { operation } }: { readonly view: ClusterView }) {
  if (!operation) return null;
  const { status, percentComplete, step, error } = operation;
  const percent = percentComplete === undefined ? "" : ` ${Math.floor(percentComplete)}%`;
  return (
    <p role="status">
      Last operation: {status}
      {percent} {step} {error !== undefined && <span className="bad">{error}</span>}
    </p>
  );
}
