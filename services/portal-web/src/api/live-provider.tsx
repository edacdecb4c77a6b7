import type { ClusterSummary } from "@keelson/portal-api";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { observeOperation, operationWatch } from "../notifications/use-watch.ts";
import { type Progress, withCluster, withHealth, withOperation, withoutCluster } from "./cluster-changes.ts";
import { parseClusterPath } from "./cluster-path.ts";
import { ListChanges } from "./list-changes.ts";
import { LiveConnection } from "./live-connection.ts";
import type { LiveState } from "./live-state.ts";
import { clusterKey, queries } from "./queries.ts";
import { RequestFailed } from "./request.ts";
import { changingParts, invalidate, isCoveredByEvents, readAgain } from "./resync.ts";
import { goToSignIn } from "./sign-in.ts";

interface Live {
  readonly mode: LiveState["mode"];
  readonly progress: Progress;
}

const LiveContext = createContext<Live>({ mode: "connecting", progress: new Map() });
export const useLive = (): Live => useContext(LiveContext);

/** Applies live changes to the query cache while the component is mounted. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [mode, setMode] = useState<LiveState["mode"]>("connecting");
  const [progress, setProgress] = useState<Progress>(new Map());
  useEffect(() => {
    const { queryKey } = queries.clusters;
    const list = new ListChanges<readonly ClusterSummary[]>(client, queryKey);
    // A query that is in flight is sent again, because its response could contain the previous state.
    const changed = (resourceId: string, parts: readonly string[]) =>
      invalidate(client, {
        queryKey: clusterKey(resourceId),
        predicate: ({ queryKey: key }) => parts.includes(String(key[2])),
      });
    let isFirst = true;
    const connection = new LiveConnection({
      onMode: setMode,
      onSignedOut: goToSignIn,
      resync: () => {
        setProgress(new Map());
        // Data that was read before this connection was opened may be outdated. On the first connection, only data that events
        // update is read again. After an interruption, all data is read again.
        void readAgain(client, isFirst ? isCoveredByEvents : () => true);
        // A watched operation may have ended while events were missed.
        void readWatched(client);
        isFirst = false;
      },
      cluster: (event) => {
        list.apply((clusters) => withCluster(clusters, event));
        void changed(event.resourceId, changingParts);
      },
      removed: (event) => {
        list.apply((clusters) => withoutCluster(clusters, event));
        void changed(event.resourceId, [""]);
      },
      health: (event) => {
        list.apply((clusters) => withHealth(clusters, event));
        void changed(event.resourceId, [""]);
      },
      operation: (event) => {
        setProgress((known) => withOperation(known, event));
        observeOperation(event);
        void changed(event.resourceId, ["operations", "activity", "step-logs"]);
      },
    });
    connection.start();
    return () => {
      connection.stop();
      list[Symbol.dispose]();
    };
  }, [client]);
  return <LiveContext value={{ mode, progress }}>{children}</LiveContext>;
}

/**
 * Reads the states of all watched operations. If the cluster of a deletion no longer exists, the deletion has succeeded. If the read
 * fails, it is repeated only after the next interruption of the connection.
 */
async function readWatched(client: QueryClient): Promise<void> {
  for (const { id, resourceId, kind } of operationWatch().snapshot.watched) {
    const cluster = parseClusterPath(resourceId)?.cluster;
    if (!cluster) continue;
    const read = await client
      .fetchQuery({ ...queries.operations(cluster), staleTime: 0 })
      .catch((error: unknown) => {
        const isGone = error instanceof RequestFailed && error.status === 404;
        if (isGone && kind === "Deleting") observeOperation({ id, state: "Succeeded" });
        return undefined;
      });
    const operation = read?.operations.find((each) => each.id === id);
    if (operation) observeOperation(operation);
  }
}
