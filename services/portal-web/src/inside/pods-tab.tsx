import type { PodView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { FilterField, matchesWords } from "../display/filter-field.tsx";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { LogView } from "./log-view.tsx";
import { objectSearch } from "./object-address.ts";

/** Page with the cluster's pods. If the URL names a container, the page shows its log. */
export default function PodsTab({ cluster }: TabProps) {
  const [search] = useSearchParams();
  const [namespace, pod, container] = ["namespace", "pod", "container"].map((name) => search.get(name) ?? "");
  if (namespace && pod && container)
    return <LogView cluster={cluster} namespace={namespace} pod={pod} container={container} />;
  return <Pods cluster={cluster} />;
}

const keyOf = ({ namespace, name }: PodView) => `${namespace}/${name}`;

function Pods({ cluster }: TabProps) {
  const pods = useQuery(queries.pods(cluster));
  const [filter, setFilter] = useState("");
  return (
    <QueryView query={pods} subject="pods">
      {({ pods: all, total }) => (
        <>
          <FilterField label="Filter pods" value={filter} onChange={setFilter} />
          {total > all.length && (
            <p className="faint">
              {all.length} of {total} pods are shown.
            </p>
          )}
          <DataTable
            label="Pods"
            className="dense"
            rows={all.filter(({ name, namespace, node, phase }) =>
              matchesWords(filter, `${namespace} ${name} ${node} ${phase}`),
            )}
            keyOf={keyOf}
            initialOrder={{ column: "Namespace", descending: false }}
            empty="No pod of the visible namespaces has these words."
            columns={[
              { title: "Name", sortBy: ({ name }) => name, breaks: true },
              { title: "Namespace", sortBy: ({ namespace }) => namespace, breaks: true },
              {
                title: "Phase",
                sortBy: ({ phase }) => phase,
                cell: ({ phase }) => <StateLabel state={phase} />,
              },
              { title: "Ready", cell: ({ ready }) => ready },
              { title: "Restarts", sortBy: ({ restarts }) => restarts },
              { title: "Node", sortBy: ({ node }) => node, breaks: true },
              { title: "Created", sortBy: ({ createdAt }) => createdAt, isTime: true },
            ]}
            detail={(pod) => <Containers cluster={cluster} pod={pod} />}
          />
        </>
      )}
    </QueryView>
  );
}

function Containers({ cluster, pod }: { readonly cluster: ClusterRef; readonly pod: PodView }) {
  const { namespace, name } = pod;
  return (
    <div className="detail">
      <DataTable
        label={`Containers of ${name}`}
        rows={pod.containers}
        keyOf={(container) => `${container.kind} ${container.name}`}
        empty="The pod has no containers."
        columns={[
          {
            title: "Container",
            cell: (container) => (
              <Link
                href={`${resourcePath(cluster)}/pods?${new URLSearchParams({ namespace, pod: name, container: container.name })}`}
              >
                Log of {container.name}
              </Link>
            ),
          },
          { title: "Kind", cell: ({ kind }) => kind },
          { title: "State", cell: ({ state }) => <StateLabel state={state} /> },
          { title: "Restarts", cell: ({ restarts }) => restarts },
        ]}
      />
      <Link href={`${resourcePath(cluster)}/resources?${objectSearch({ kind: "Pod", namespace, name })}`}>
        YAML of the pod
      </Link>
    </div>
  );
}
