import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { JsonView } from "../display/json-view.tsx";
import { QueryView } from "../display/query-view.tsx";
import { queries } from "../requests/queries.ts";

/** Shows a resource as JSON. */
export function ResourceDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const resource = useQuery(queries.resource(id));
  return (
    <section className="panel detail" aria-label="Resource">
      <Button variant="link" isInline onClick={onClose}>
        Close the resource
      </Button>
      <p className="mono">{id}</p>
      <QueryView query={resource} subject="the resource">
        {(view) => <JsonView label="JSON of the resource" value={view.resource} />}
      </QueryView>
    </section>
  );
}
