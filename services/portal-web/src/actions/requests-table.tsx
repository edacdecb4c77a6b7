import type { ActionRequestView } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { apiPath, type ClusterRef } from "../api/cluster-path.ts";
import { actionChanged, queries } from "../api/queries.ts";
import { DataTable } from "../display/data-table.tsx";
import { Failure } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { visibleText } from "../display/visible-text.ts";
import { parametersOf } from "./parameters.ts";
import { usePost } from "./use-post.ts";

interface RequestsTableProps {
  readonly cluster: ClusterRef;
  /** Called with a request that the person may confirm. */
  readonly onConfirm: (request: ActionRequestView) => void;
  readonly onShow: (request: ActionRequestView) => void;
}

const states: Readonly<Record<ActionRequestView["state"], string>> = {
  AwaitingApproval: "Awaiting approval",
  Ready: "Awaiting confirmation",
  Submitted: "Submitted",
  Ended: "Ended",
  Rejected: "Rejected",
  Expired: "Expired",
};

/**
 * Table of the requests of recent days, with buttons for the decisions that the person may make. Renders nothing if there are no
 * requests.
 */
export function RequestsTable({ cluster, onConfirm, onShow }: RequestsTableProps) {
  const requests = useQuery({ ...queries.actionRequests(cluster), retry: false });
  const client = useQueryClient();
  const changed = () => actionChanged(client, cluster);
  const decide = usePost<ActionRequestView>(() => void changed());
  const confirm = usePost<ActionRequestView>(onConfirm);
  const rows = requests.data?.requests ?? [];
  if (requests.error)
    return (
      <Failure
        error={requests.error}
        title="Cannot show the requests in this portal"
        retry={() => void requests.refetch()}
      />
    );
  if (rows.length === 0) return null;
  const path = ({ id }: ActionRequestView) => `${apiPath(cluster)}/action-requests/${encodeURIComponent(id)}`;
  const error = decide.error ?? confirm.error;
  return (
    <>
      <h3>Requests in this portal</h3>
      {error && (
        <Failure
          error={error}
          title="Cannot change the request"
          retry={() => {
            decide.reset();
            confirm.reset();
            void changed();
          }}
        />
      )}
      <DataTable
        label="Requests in this portal"
        rows={rows}
        keyOf={({ id }) => id}
        initialOrder={{ column: "Requested", descending: true }}
        empty="No requests."
        columns={[
          { title: "Action", sortBy: ({ action }) => action, breaks: true },
          {
            title: "Parameters",
            cell: ({ parameters }) => <code>{visibleText(parametersOf(parameters))}</code>,
            breaks: true,
          },
          { title: "Who", sortBy: ({ requestedBy }) => requestedBy, cell: whoOf, breaks: true },
          { title: "Reason", cell: ({ reason }) => visibleText(reason ?? "–"), breaks: true },
          { title: "Requested", sortBy: ({ createdAt }) => createdAt, isTime: true },
          {
            title: "State",
            sortBy: ({ state }) => state,
            cell: ({ state }) => <StateLabel state={states[state]} />,
          },
          {
            title: "Decision",
            cell: (request) => (
              <div className="dialog-row">
                {request.mayDecide &&
                  ["Approve", "Reject"].map((word) => (
                    <Button
                      key={word}
                      size="sm"
                      variant={word === "Approve" ? "primary" : "secondary"}
                      isDisabled={decide.isPending}
                      aria-label={`${word} ${request.action} of ${request.requestedBy}`}
                      onClick={() =>
                        decide.mutate({
                          path: `${path(request)}/decision`,
                          body: { approve: word === "Approve" },
                        })
                      }
                    >
                      {word}
                    </Button>
                  ))}
                {request.isOwn && request.state === "Ready" && (
                  <Button
                    size="sm"
                    isDisabled={confirm.isPending}
                    aria-label={`Confirm ${request.action}`}
                    onClick={() => confirm.mutate({ path: `${path(request)}/confirmation` })}
                  >
                    Confirm
                  </Button>
                )}
                <Button
                  size="sm"
                  variant="link"
                  isInline
                  aria-label={`Show ${request.action} of ${request.requestedBy}, requested at ${request.createdAt}`}
                  onClick={() => onShow(request)}
                >
                  Show
                </Button>
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

function whoOf({ requestedBy, decision }: ActionRequestView): string {
  if (!decision) return visibleText(requestedBy);
  return visibleText(`${requestedBy}, ${decision.approved ? "approved" : "rejected"} by ${decision.by}`);
}
