import type { OperationView } from "@keelson/portal-api";
import { Alert, Button, ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { OperationProgress } from "../clusters/operation-progress.tsx";
import { useNow } from "../display/now.ts";
import { QueryView } from "../display/query-view.tsx";
import { StateLabel } from "../display/state-label.tsx";
import { formatDuration } from "../display/time.ts";
import { TimeText } from "../display/time-text.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { WatchButton } from "../notifications/watch-button.tsx";
import { Gantt } from "./gantt.tsx";
import { mediansOf } from "./medians.ts";
import { StepsTable } from "./steps-table.tsx";
import { timelineLayout, waitedMs, withRetries } from "./timeline-layout.ts";

/** Page with all operations of the cluster and their steps. */
export default function TimelineTab({ cluster }: TabProps) {
  const operations = useQuery(queries.operations(cluster));
  const [search, setSearch] = useSearchParams();
  return (
    <QueryView query={operations} subject="operations">
      {({ operations: all }) => {
        const chosen = all.find(({ id }) => id === search.get("operation")) ?? all[0];
        if (!chosen) return <div className="empty">There was no operation in the last seven days.</div>;
        return (
          <>
            <OperationList
              operations={all}
              chosen={chosen.id}
              onChoose={(operation) => setSearch({ operation }, { replace: true })}
            />
            <Operation
              key={chosen.id}
              cluster={cluster}
              operation={chosen}
              step={search.get("step") ?? ""}
              onStep={(step) =>
                setSearch({ operation: chosen.id, ...(step === "" ? {} : { step }) }, { replace: true })
              }
            />
          </>
        );
      }}
    </QueryView>
  );
}

interface OperationListProps {
  readonly operations: readonly OperationView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function OperationList({ operations, chosen, onChoose }: OperationListProps) {
  return (
    <ul className="operation-list" aria-label="Operations">
      {operations.map(({ id, kind, state, startTime }) => (
        <li key={id}>
          <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            <span>{kind}</span>
            <StateLabel state={state} />
            <span className="faint">
              <TimeText at={startTime} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface OperationProps extends TabProps {
  readonly operation: OperationView;
  /** Name of the step with a visible log. Empty if no log is visible. */
  readonly step: string;
  readonly onStep: (step: string) => void;
}

function Operation({ cluster, operation: stored, step, onStep }: OperationProps) {
  const { endTime } = stored;
  const isRunning = endTime === undefined;
  const nowMs = useNow(isRunning);
  const [view, setView] = useState<"picture" | "table">(step === "" ? "picture" : "table");
  const { data: logs } = useQuery(queries.stepLogs(cluster, stored.id));
  const operation = withRetries(stored, logs);
  const { data: durations } = useQuery(queries.stepDurations);
  const medians = mediansOf(durations);
  const lengthMs = (isRunning ? nowMs : Date.parse(endTime)) - Date.parse(operation.startTime);
  const waited = waitedMs(timelineLayout(operation, nowMs).waits);
  const failed = operation.steps.findLast(({ outcome }) => outcome === "failed")?.name;
  const show = (name: string) => {
    if (name !== "") setView("table");
    onStep(name);
  };
  return (
    <>
      <div className="operation-head">
        <p>
          {operation.kind} {isRunning ? "has been running for" : "took"}{" "}
          <strong>{formatDuration(lengthMs)}</strong>
          {waited > 0 && <>, of which it waited {formatDuration(waited)} for a worker</>}
          {operation.correlationId && (
            <>
              , correlation ID <code>{operation.correlationId}</code>
            </>
          )}
        </p>
        {isRunning && <OperationProgress operation={operation} />}
        {isRunning && (
          <WatchButton
            operation={{ id: operation.id, resourceId: resourcePath(cluster), kind: operation.kind }}
          />
        )}
        <ToggleGroup aria-label="View">
          <ToggleGroupItem
            text="Picture"
            buttonId="view-picture"
            isSelected={view === "picture"}
            onChange={() => setView("picture")}
          />
          <ToggleGroupItem
            text="Table"
            buttonId="view-table"
            isSelected={view === "table"}
            onChange={() => setView("table")}
          />
        </ToggleGroup>
      </div>
      {operation.error && (
        <Alert isInline component="p" variant="danger" title={operation.error.code}>
          <span className="multiline">{operation.error.message}</span>
          {failed !== undefined && logs?.steps.some(({ name }) => name === failed) && (
            <>
              {" "}
              <Button variant="link" isInline onClick={() => show(failed)}>
                Log of {failed}
              </Button>
            </>
          )}
        </Alert>
      )}
      {view === "table" || operation.steps.length === 0 ? (
        <StepsTable
          operation={operation}
          nowMs={nowMs}
          medians={medians}
          logs={logs}
          openStep={step}
          onOpen={show}
        />
      ) : (
        <Gantt operation={operation} nowMs={nowMs} medians={medians} />
      )}
    </>
  );
}
