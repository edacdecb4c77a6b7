import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { ResourceView } from "../../api/resources.ts";
import { QueryView } from "../display/query-view.tsx";
import { queries } from "../requests/queries.ts";
import { DeleteResource } from "./delete-resource.tsx";

interface GroupResourcesProps {
  readonly group: string;
  readonly onShow: (id: string) => void;
}

/** Shows the resources of a resource group, grouped by type. */
export function GroupResources({ group, onShow }: GroupResourcesProps) {
  const resources = useQuery({ ...queries.resourcesOf(group), refetchInterval: 5_000 });
  return (
    <QueryView query={resources} subject={`resources of ${group}`}>
      {(view) => {
        const byType = Map.groupBy(view.resources, ({ type }) => type);
        const types = [...byType].sort(([one], [other]) => (one < other ? -1 : 1));
        return (
          <>
            {view.isCut && <p>The group has more resources than this page shows.</p>}
            {types.length === 0 && <p className="empty">The group has no resources.</p>}
            {types.map(([type, ofType]) => (
              <section key={type}>
                <h3>
                  {type} ({ofType.length})
                </h3>
                <ul>
                  {ofType.map((resource) => (
                    <Resource key={resource.id} resource={resource} onShow={onShow} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        );
      }}
    </QueryView>
  );
}

interface ResourceProps {
  readonly resource: ResourceView;
  readonly onShow: (id: string) => void;
}

function Resource({ resource: { id, name }, onShow }: ResourceProps) {
  return (
    <li className="resource">
      <Button variant="link" isInline onClick={() => onShow(id)}>
        {name}
      </Button>
      <DeleteResource id={id} name={name}>
        Delete
      </DeleteResource>
    </li>
  );
}
