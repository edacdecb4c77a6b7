import type { ActionForms, ActionRequestView } from "@keelson/portal-api";
import { Alert } from "@patternfly/react-core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { ClusterRef } from "../api/cluster-path.ts";
import { actionChanged, queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";
import { formatTime } from "../display/time.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import { ActionPanel } from "./action-panel.tsx";
import { ActionPicker } from "./action-picker.tsx";
import { ActionsHistory } from "./actions-history.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ElevationPanel } from "./elevation-panel.tsx";
import { FollowedRequest } from "./followed-request.tsx";
import { RequestsTable } from "./requests-table.tsx";

/** Page for administrative actions: forms, pending requests and earlier actions. */
export default function ActionsTab({ cluster }: TabProps) {
  const forms = useQuery(queries.actionForms);
  return (
    <>
      <QueryView query={forms} subject="actions">
        {(data) => <Actions cluster={cluster} data={data} />}
      </QueryView>
      <ActionsHistory cluster={cluster} />
    </>
  );
}

function Actions({ cluster, data }: { readonly cluster: ClusterRef; readonly data: ActionForms }) {
  const [search, setSearch] = useSearchParams();
  const [confirming, setConfirming] = useState<ActionRequestView>();
  const [followed, setFollowed] = useState<ActionRequestView>();
  const client = useQueryClient();
  const { forms, freeze, unavailable, elevation } = data;
  const form = forms.find(({ action }) => action === search.get("action"));
  const changed = () => actionChanged(client, cluster);
  const prepared = (request: ActionRequestView) => {
    setFollowed(undefined);
    if (request.confirmation) setConfirming(request);
    void changed();
  };
  return (
    <>
      {unavailable !== undefined && (
        <Alert isInline component="p" variant="warning" title="Actions are not available">
          {unavailable}
        </Alert>
      )}
      {freeze && (
        <Alert
          isInline
          component="p"
          variant="warning"
          title={`Changes are frozen until ${formatTime(freeze.until)}`}
        >
          {freeze.reason}
          {freeze.emergency && ". In an emergency, people with the role elevated act with a reason."}
        </Alert>
      )}
      {elevation && <ElevationPanel elevation={elevation} />}
      <section aria-label="Run an action">
        <h3>Run an action</h3>
        <ActionPicker
          forms={forms}
          selected={form?.action ?? ""}
          onSelect={(action) => {
            setFollowed(undefined);
            setSearch(action === "" ? {} : { action }, { replace: true });
          }}
        />
        {form && (
          <ActionPanel
            key={form.action}
            cluster={cluster}
            form={form}
            adminApi={data.adminApi}
            adminScope={data.adminScope}
            isDisabled={unavailable !== undefined}
            onPrepared={prepared}
          />
        )}
        {followed && <FollowedRequest cluster={cluster} request={followed} />}
      </section>
      {confirming && (
        <ConfirmDialog
          cluster={cluster}
          request={confirming}
          isDestructive={forms.find(({ action }) => action === confirming.action)?.destructive ?? true}
          onClose={() => setConfirming(undefined)}
          onRun={(request) => {
            setConfirming(undefined);
            setFollowed(request);
            void changed();
          }}
        />
      )}
      <RequestsTable cluster={cluster} onConfirm={prepared} onShow={setFollowed} />
    </>
  );
}
