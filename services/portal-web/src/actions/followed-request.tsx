import type { ActionRequestView } from "@keelson/portal-api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ClusterRef } from "../api/cluster-path.ts";
import { actionChanged, queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";
import { visibleText } from "../display/visible-text.ts";
import { OutcomeView } from "./outcome-view.tsx";

interface FollowedRequestProps {
  readonly cluster: ClusterRef;
  readonly request: ActionRequestView;
}

/** Request with its body, followed by the progress and the result of its action. */
export function FollowedRequest({ cluster, request }: FollowedRequestProps) {
  const query = useQuery({ ...queries.actionRequest(cluster, request.id), placeholderData: request });
  const client = useQueryClient();
  const hasEnded = query.data?.state === "Ended";
  // The lists of the page were read before the end of the action.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the action changes the lists
  useEffect(() => {
    if (hasEnded) void actionChanged(client, cluster);
  }, [hasEnded]);
  return (
    <section className="followed" aria-label={request.action}>
      <h4>{request.action}</h4>
      <QueryView query={query} subject="the action">
        {({ outcome, body, state }) => (
          <>
            {body !== undefined && (
              <section className="outcome-text" aria-label="Body of the request">
                <pre>{visibleText(body)}</pre>
              </section>
            )}
            {outcome && <OutcomeView name={request.action} outcome={outcome} />}
            {!outcome && state === "Submitted" && <p role="status">Running</p>}
          </>
        )}
      </QueryView>
    </section>
  );
}
