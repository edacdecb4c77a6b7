import type { RecordingView } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { QueryView } from "../display/query-view.tsx";
import { formatDuration, formatTime } from "../display/time.ts";
import type { TabProps } from "../navigation/tab-props.ts";

const RecordingDialog = lazy(() => import("./recording-dialog.tsx"));

/**
 * Page with recordings of terminals and commands on the cluster's masters. Each time that a person opens a recording, the portal
 * writes an audit record.
 */
export default function RecordingsTab({ cluster }: TabProps) {
  const recordings = useInfiniteQuery(queries.recordings(cluster));
  const [shown, setShown] = useState<RecordingView>();
  return (
    <>
      <p className="faint">Kept for 90 days. Reading one is noted in the audit.</p>
      <QueryView query={recordings} subject="recordings">
        {({ pages }) => (
          <DataTable
            label="Recordings"
            rows={pages.flatMap((page) => page.recordings)}
            keyOf={({ id }) => id}
            initialOrder={{ column: "Start", descending: true }}
            empty="No connection to this cluster by SSH is recorded."
            columns={[
              { title: "Start", sortBy: ({ startedAt }) => startedAt, isTime: true },
              { title: "Who", sortBy: ({ username }) => username, breaks: true },
              { title: "Machine", sortBy: ({ master }) => master, cell: ({ master }) => `master-${master}` },
              { title: "What", sortBy: whatOf, cell: (each) => <code>{whatOf(each)}</code>, breaks: true },
              { title: "Duration", cell: durationOf },
              {
                title: "Content",
                cell: (recording) =>
                  recording.kind === "subsystem" ? (
                    "not recorded"
                  ) : (
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={`Show ${whatOf(recording)} of ${recording.username}, ${formatTime(recording.startedAt)}`}
                      onClick={() => setShown(recording)}
                    >
                      Show
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </QueryView>
      {recordings.hasNextPage && (
        <Button
          variant="link"
          isLoading={recordings.isFetchingNextPage}
          onClick={() => void recordings.fetchNextPage()}
        >
          Older recordings
        </Button>
      )}
      {shown && (
        <Suspense>
          <RecordingDialog
            key={shown.id}
            cluster={cluster}
            recording={shown}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

const whatOf = ({ kind, command }: RecordingView): string => command ?? kind;

const durationOf = ({ startedAt, endedAt }: RecordingView): string =>
  endedAt === undefined ? "open, or cut off" : formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
