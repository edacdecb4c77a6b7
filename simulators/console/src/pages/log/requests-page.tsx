import { Button, Checkbox, SearchInput } from "@patternfly/react-core";
import { useState } from "react";
import type { RequestSummary } from "../../api/requests.ts";
import { Failure } from "../display/query-view.tsx";
import { type Column, Table } from "../display/table.tsx";
import { useUrlParameter } from "../display/use-url-parameter.ts";
import { RequestDetail } from "./request-detail.tsx";
import { matchesFilter } from "./request-filter.ts";
import { useRequestLog } from "./use-request-log.ts";

const ownClient = "keelson-console";

/** Live page of the requests to the simulated Azure, newest first. */
export function RequestsPage() {
  const [isPaused, setPaused] = useState(false);
  const [showsOwn, setShowsOwn] = useState(false);
  const [filter, setFilter] = useUrlParameter("filter", { replaces: true });
  const [shown, setShown] = useState<number>();
  const { requests, error } = useRequestLog(isPaused);
  const matching = requests.filter(
    (each) => (showsOwn || each.client !== ownClient) && matchesFilter(each, filter),
  );
  const columns: readonly Column<RequestSummary>[] = [
    { title: "Time", cell: ({ at }) => <span className="mono">{at.slice(11, 23)}</span> },
    { title: "Service", cell: ({ service }) => service },
    {
      title: "Request",
      cell: ({ sequence, method, path }) => (
        <Button variant="link" isInline className="mono" onClick={() => setShown(sequence)}>
          {method} {path}
        </Button>
      ),
    },
    { title: "Status", cell: ({ status }) => <StatusText status={status} /> },
    { title: "Duration", cell: ({ durationMs }) => `${durationMs} ms` },
    { title: "Caller", cell: ({ caller }) => <span className="mono">{caller ?? "–"}</span> },
    { title: "Client", cell: ({ client }) => client ?? "–" },
  ];
  return (
    <>
      <div className="row">
        <SearchInput
          className="filter"
          aria-label="Filter requests"
          placeholder="Words, or service:arm method:PUT status:4 caller:ID"
          value={filter}
          onChange={(_, value) => setFilter(value)}
          onClear={() => setFilter("")}
        />
        <span role="status">
          {matching.length} of {requests.length} requests
        </span>
        <Button variant="secondary" onClick={() => setPaused(!isPaused)}>
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <Checkbox
          id="shows-own"
          label="Changes by this console"
          isChecked={showsOwn}
          onChange={(_, isChecked) => setShowsOwn(isChecked)}
        />
      </div>
      {error && <Failure error={error} title="Cannot read requests" />}
      {shown !== undefined && <RequestDetail sequence={shown} onClose={() => setShown(undefined)} />}
      <Table
        label="Requests"
        columns={columns}
        rows={matching}
        keyOf={({ sequence }) => String(sequence)}
        empty="No request matches."
      />
    </>
  );
}

function StatusText({ status }: { readonly status: number | undefined }) {
  if (status === undefined) return <span className="bad">closed</span>;
  return <span className={status >= 400 ? "bad" : ""}>{status}</span>;
}
