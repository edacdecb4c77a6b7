import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "../display/query-view.tsx";
import { queries } from "../requests/queries.ts";
import { useChange } from "../requests/use-change.ts";

const slowMs = "2000";

/** Shows the faults of a cluster. Includes a shortcut for the most frequent fault, a slow API server. */
export function ClusterFaults({ cluster }: { readonly cluster: string }) {
  const faults = useQuery({ ...queries.faults, refetchInterval: 5_000 });
  const change = useChange("faults");
  const own = (faults.data?.faults ?? []).filter((each) => each.cluster === cluster);
  const slowDown = () =>
    change.mutate({
      method: "POST",
      path: "/api/faults",
      body: { kind: "api-slow", cluster, parameters: { delayMs: slowMs } },
    });
  return (
    <section className="wide">
      <h3>Faults of this cluster</h3>
      <ul>
        {own.map(({ id, kind, parameters }) => (
          <li className="resource" key={id}>
            <span>
              {kind}{" "}
              <span className="mono">
                {Object.entries(parameters)
                  .map(([name, value]) => `${name}=${value}`)
                  .join(" ")}
              </span>
            </span>
            <Button
              variant="link"
              isInline
              aria-label={`Clear ${kind} ${id}`}
              isDisabled={change.isPending || id.startsWith("boot-")}
              onClick={() =>
                change.mutate({ method: "DELETE", path: `/api/faults/${encodeURIComponent(id)}` })
              }
            >
              Clear
            </Button>
          </li>
        ))}
      </ul>
      {own.length === 0 && <p className="empty">No fault is in force.</p>}
      <Button variant="secondary" isDisabled={change.isPending} onClick={slowDown}>
        Slow API server (2 s)
      </Button>
      {change.error && <Failure error={change.error} title="Cannot change faults" />}
    </section>
  );
}
