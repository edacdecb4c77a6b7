import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ClockState, Expiring } from "../../api/clock.ts";
import { Field } from "../display/field.tsx";
import { Failure, QueryView } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { formatDuration, formatTime } from "../display/time.ts";
import { queries } from "../requests/queries.ts";
import { useChange } from "../requests/use-change.ts";
import { parseDuration } from "./parse-duration.ts";

const steps = {
  "1 hour": 3_600_000,
  "1 day": 86_400_000,
  "30 days": 30 * 86_400_000,
  "90 days": 90 * 86_400_000,
};

/** Page that shows and advances the simulated Azure's clock, and lists expiring credentials. */
export function ClockPage() {
  const clock = useQuery({ ...queries.clock, refetchInterval: 5_000 });
  return (
    <QueryView query={clock} subject="the clock">
      {(state) => (
        <>
          <p className="fact" role="status">
            <strong>{formatTime(state.now)}</strong>{" "}
            {state.aheadMs === 0
              ? "the real time"
              : `${formatDuration(state.aheadMs)} ahead of the real time`}
          </p>
          <p>
            Secrets, certificates and tokens of the simulated Azure expire by this clock. The service and the
            clusters have the real time. The ARO operator of a cluster checks the cluster&apos;s secret every
            hour and when it starts.
          </p>
          <Moves />
          <h2>Expiring credentials</h2>
          <Table
            label="Expiring credentials"
            columns={[
              ...columnsAt(state),
              { title: "Advance", cell: (each) => <Expire {...each} at={state} /> },
            ]}
            rows={state.expiring}
            keyOf={({ kind, owner, name, expires }) => [kind, owner, name, expires].join("\n")}
            empty="No credential expires."
          />
          {state.omitted > 0 && <p>{state.omitted} later ones are omitted.</p>}
        </>
      )}
    </QueryView>
  );
}

function Moves() {
  const change = useChange("clock");
  const [text, setText] = useState("");
  const ms = parseDuration(text);
  const advance = (advanceMs: number) =>
    change.mutate({ method: "POST", path: "/api/clock", body: { advanceMs } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ms !== undefined) advance(ms);
  };
  return (
    <>
      <form className="row" onSubmit={submit}>
        {Object.entries(steps).map(([name, step]) => (
          <Button key={name} variant="secondary" isDisabled={change.isPending} onClick={() => advance(step)}>
            {name} forward
          </Button>
        ))}
        <Field
          label="Duration"
          value={text}
          onChange={setText}
          placeholder="1d6h30m"
          isInvalid={text !== "" && !ms}
        />
        <Button type="submit" isDisabled={ms === undefined || change.isPending}>
          Move forward
        </Button>
        <Button
          variant="secondary"
          isDisabled={change.isPending}
          onClick={() => change.mutate({ method: "DELETE", path: "/api/clock" })}
        >
          Return to the real time
        </Button>
      </form>
      {change.error && <Failure error={change.error} title="Cannot move the clock" />}
    </>
  );
}

/** Button that advances the clock to one second after the expiry of a credential. */
function Expire({ name, expires, at }: Expiring & { readonly at: ClockState }) {
  const change = useChange("clock");
  const leftMs = new Date(expires).getTime() - new Date(at.now).getTime();
  if (leftMs <= 0) return "–";
  const advanceMs = leftMs + 1_000;
  return (
    <>
      <Button
        variant="link"
        isInline
        isDisabled={change.isPending}
        aria-label={`Advance to the expiry of ${name}`}
        onClick={() => change.mutate({ method: "POST", path: "/api/clock", body: { advanceMs } })}
      >
        Advance to the expiry
      </Button>
      {change.error && <Failure error={change.error} title="Cannot move the clock" />}
    </>
  );
}

function columnsAt({ now }: ClockState): readonly Column<Expiring>[] {
  const nowMs = new Date(now).getTime();
  return [
    { title: "Credential", cell: ({ kind }) => kind },
    { title: "Owner", cell: ({ owner }) => owner },
    { title: "Name", cell: ({ name }) => <span className="mono">{name}</span> },
    { title: "Expires", cell: ({ expires }) => formatTime(expires) },
    {
      title: "Remaining",
      cell({ expires }) {
        const leftMs = new Date(expires).getTime() - nowMs;
        return leftMs > 0 ? formatDuration(leftMs) : <span className="bad">expired</span>;
      },
    },
  ];
}
