import type { ActionForms } from "@keelson/portal-api";
import { Button, TextInput } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries } from "../api/queries.ts";
import { send } from "../api/request.ts";
import { Labelled } from "../display/labelled.tsx";
import { Failure } from "../display/query-view.tsx";
import { ReasonInput } from "../display/reason-input.tsx";
import { TimeText } from "../display/time-text.tsx";

interface ElevationPanelProps {
  readonly elevation: NonNullable<ActionForms["elevation"]>;
}

/**
 * Panel with which a person activates the role `elevated` for a limited time, with a reason. The person can also end the
 * elevation there.
 */
export function ElevationPanel({ elevation: { maxMinutes, eligible, until } }: ElevationPanelProps) {
  const [reason, setReason] = useState("");
  const [minutes, setMinutes] = useState(`${Math.min(60, maxMinutes)}`);
  const { data: info } = useQuery(queries.info);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: object | undefined) =>
      send("/api/elevation", {
        ...(body ? { method: "POST", body } : { method: "DELETE" }),
        csrf: info?.csrf,
      }),
    onSuccess: () => client.invalidateQueries(),
  });
  if (!eligible) return null;
  const failure = change.error && (
    <Failure error={change.error} title="Cannot change the role" retry={() => change.reset()} />
  );
  if (until !== undefined)
    return (
      <section aria-label="Role elevated">
        <p>
          You have the role elevated until <TimeText at={until} />.{" "}
          <Button
            variant="link"
            isInline
            isDisabled={change.isPending}
            onClick={() => change.mutate(undefined)}
          >
            End it now
          </Button>
        </p>
        {failure}
      </section>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ reason, minutes: Number(minutes) });
  };
  return (
    <section aria-label="Role elevated">
      <h3>Activate the role elevated</h3>
      <form className="toolbar" onSubmit={submit}>
        <Labelled label="Reason for the role" htmlFor="elevation-reason" isWide>
          <ReasonInput id="elevation-reason" value={reason} onChange={setReason} />
        </Labelled>
        <Labelled label="Minutes" htmlFor="elevation-minutes">
          <TextInput
            id="elevation-minutes"
            type="number"
            min={1}
            max={maxMinutes}
            value={minutes}
            onChange={(_, value) => setMinutes(value)}
          />
        </Labelled>
        <Button type="submit" isDisabled={reason.trim() === "" || change.isPending}>
          Activate
        </Button>
      </form>
      {failure}
    </section>
  );
}
