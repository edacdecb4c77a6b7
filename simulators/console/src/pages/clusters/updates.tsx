import { Button } from "@patternfly/react-core";
import { useState } from "react";
import type { ClusterView } from "../../api/clusters.ts";
import { ConfirmButton } from "../display/confirm-button.tsx";
import { Failure } from "../display/query-view.tsx";
import { Select } from "../display/select.tsx";
import { useChange } from "../requests/use-change.ts";

interface UpdatesProps {
  readonly path: string;
  readonly view: ClusterView;
}

const noChannel = "none";

/** Shows the update channel, the available versions and the update in progress. */
export function Updates({ path, view }: UpdatesProps) {
  const change = useChange("clusters");
  const { version, channel, channels, updates, updatingTo } = view;
  const [asked, setAsked] = useState(channel ?? noChannel);
  const [target, setTarget] = useState("");
  const selected = updates.includes(target) ? target : (updates[0] ?? "");
  return (
    <section className="wide">
      <h3>Updates</h3>
      <p role="status">
        {updatingTo === undefined ? `Version ${version}, no update in progress` : `Updating to ${updatingTo}`}
      </p>
      <div className="row">
        <Select
          label="Channel"
          value={asked}
          onChange={setAsked}
          options={{
            ...(channel === undefined ? { [noChannel]: "no channel" } : {}),
            ...Object.fromEntries(channels.map((each) => [each, each])),
          }}
        />
        <Button
          variant="secondary"
          isDisabled={change.isPending || asked === noChannel || asked === channel}
          onClick={() => change.mutate({ method: "POST", path: `${path}/channel`, body: { channel: asked } })}
        >
          Set channel
        </Button>
        {updates.length > 0 && (
          <>
            <Select
              label="Available version"
              value={selected}
              onChange={setTarget}
              options={Object.fromEntries(updates.map((each) => [each, each]))}
            />
            <ConfirmButton
              label={`Update to ${selected}`}
              isDisabled={change.isPending || updatingTo !== undefined}
              onConfirm={() =>
                change.mutate({ method: "POST", path: `${path}/update`, body: { version: selected } })
              }
            >
              Update
            </ConfirmButton>
          </>
        )}
      </div>
      {change.error && <Failure error={change.error} title="Cannot change the version" />}
    </section>
  );
}
