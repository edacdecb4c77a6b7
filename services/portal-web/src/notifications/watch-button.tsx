import { Button } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import type { WatchedOperation } from "./operation-watch.ts";
import { operationWatch, useOperationWatch } from "./use-watch.ts";

/** Button with which a person watches a running operation. When the operation ends, every page shows a notice. */
export function WatchButton({ operation }: { readonly operation: WatchedOperation }) {
  const { watched } = useOperationWatch();
  const isWatched = watched.some(({ id }) => id === operation.id);
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<BellIcon />}
      aria-pressed={isWatched}
      onClick={() => operationWatch().toggle(operation)}
    >
      {isWatched ? "You will be notified" : "Notify me at its end"}
    </Button>
  );
}
