import type { ActionRequestView, NewActionRequest } from "@keelson/portal-api";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { apiPath, type ClusterRef } from "../api/cluster-path.ts";
import { actionChanged } from "../api/queries.ts";
import { Failure } from "../display/query-view.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { FollowedRequest } from "./followed-request.tsx";
import { usePost } from "./use-post.ts";

export interface RequestFlow {
  readonly start: (request: NewActionRequest) => void;
  readonly isPending: boolean;
  /** Element that shows the review, the progress and the result of the last request. The page must render it. */
  readonly view: ReactNode;
}

/** Returns functions that request one action and run it after a review. This hook is for pages that have their own forms. */
export function useRequestFlow(cluster: ClusterRef, isDestructive: boolean): RequestFlow {
  const [confirming, setConfirming] = useState<ActionRequestView>();
  const [shown, setShown] = useState<ActionRequestView>();
  const client = useQueryClient();
  const changed = () => actionChanged(client, cluster);
  const prepare = usePost<ActionRequestView>((request) => {
    setShown(request.confirmation ? undefined : request);
    if (request.confirmation) setConfirming(request);
    void changed();
  });
  return {
    start: (body) => prepare.mutate({ path: `${apiPath(cluster)}/action-requests`, body }),
    isPending: prepare.isPending,
    view: (
      <>
        {prepare.error && (
          <Failure error={prepare.error} title="Cannot prepare the action" retry={() => prepare.reset()} />
        )}
        {confirming && (
          <ConfirmDialog
            cluster={cluster}
            request={confirming}
            isDestructive={isDestructive}
            onClose={() => setConfirming(undefined)}
            onRun={(request) => {
              setConfirming(undefined);
              setShown(request);
              void changed();
            }}
          />
        )}
        {shown?.state === "AwaitingApproval" && (
          <p role="status">The request awaits the approval of a second person on the page Actions.</p>
        )}
        {shown && <FollowedRequest cluster={cluster} request={shown} />}
      </>
    ),
  };
}
