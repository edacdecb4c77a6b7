import type { ActionRequestView } from "@keelson/portal-api";
import { Button, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { apiPath, type ClusterRef } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { Dialog } from "../display/dialog.tsx";
import { Facts } from "../display/facts.tsx";
import { Failure } from "../display/query-view.tsx";
import { TimeText } from "../display/time-text.tsx";
import { visibleText } from "../display/visible-text.ts";
import { parametersOf } from "./parameters.ts";
import { usePost } from "./use-post.ts";

interface ConfirmDialogProps {
  readonly cluster: ClusterRef;
  readonly request: ActionRequestView;
  /** True if the person must type the cluster's name. */
  readonly isDestructive: boolean;
  readonly onClose: () => void;
  /** Called with the request after its submission. */
  readonly onRun: (request: ActionRequestView) => void;
}

/** Dialog that shows the exact action. After confirmation, it runs the action once. */
export function ConfirmDialog({ cluster, request, isDestructive, onClose, onRun }: ConfirmDialogProps) {
  const { id, action, parameters, reason, confirmation, decision } = request;
  const { data: detail } = useQuery(queries.cluster(cluster));
  const [typed, setTyped] = useState("");
  const run = usePost<ActionRequestView>(onRun);
  const name = detail?.name ?? cluster.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate({
      path: `${apiPath(cluster)}/action-requests/${encodeURIComponent(id)}/run`,
      body: { token: confirmation?.token ?? "", ...(isDestructive ? { cluster: typed.trim() } : {}) },
    });
  };
  return (
    <Dialog id="confirmAction" title={`Run ${action} on ${name}?`} onClose={onClose}>
      <Facts
        title="Request"
        facts={{
          Cluster: name,
          Parameters: visibleText(parametersOf(parameters)),
          Reason: visibleText(reason ?? ""),
          ...(decision ? { "Approved by": visibleText(decision.by) } : {}),
          "Valid until": <TimeText at={confirmation?.expiresAt ?? ""} />,
        }}
      />
      <form className="action-form" onSubmit={submit}>
        {isDestructive && (
          <div>
            <label htmlFor="confirm-name">
              Type <strong>{name}</strong> to confirm
            </label>
            <TextInput
              id="confirm-name"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(_, value) => setTyped(value)}
            />
          </div>
        )}
        <div className="dialog-row">
          <Button
            type="submit"
            variant={isDestructive ? "danger" : "primary"}
            isDisabled={run.isPending || (isDestructive && typed.trim() !== name)}
            isLoading={run.isPending}
          >
            Run
          </Button>
          <Button variant="link" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
      {run.error && <Failure error={run.error} title="Cannot run the action" retry={() => run.reset()} />}
    </Dialog>
  );
}
