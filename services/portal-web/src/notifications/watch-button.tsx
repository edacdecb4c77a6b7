import { Button } from "@patternfly/react-core";
import BellIcon from "@patternfly/react-icons/dist/esm/icons/bell-icon";
import type { WatchedOperation } from "./operation-watch.ts";
import { operationWatch, useOperationWatch } from "./use-watch.ts";

interface WatchButtonProps {
  readonly operation: WatchedOperation;
}

/** Button with which a person watches a running operation. When the operation ends, every page shows a notice. */
export function WatchButton({ operation: { id, resourceId, kind } }: WatchButtonProps) {
  const { watched } = useOperationWatch();
  const isWatched = watched.some((each) => each.id === id);
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<BellIcon />}
      aria-pressed={isWatched}
      onClick={() => operationWatch().toggle({ id, resourceId, kind })}
    >
      {isWatched ? "You will be notified" : "Notify me at its end"}
    </Button>
  );
}
