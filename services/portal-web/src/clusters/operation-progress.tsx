import type { PortalEvents } from "@keelson/portal-api";

interface OperationProgressProps {
  readonly operation: Pick<PortalEvents["operation"], "kind" | "percentComplete" | "currentSteps">;
}

/** Progress bar and current steps of an operation. */
export function OperationProgress({ operation }: OperationProgressProps) {
  const { kind, percentComplete, currentSteps } = operation;
  return (
    <div className="operation-progress">
      <progress
        max={100}
        {...(percentComplete === undefined ? {} : { value: percentComplete })}
        aria-label={`Progress of ${kind}`}
      />
      {percentComplete !== undefined && <span>{Math.round(percentComplete)} %</span>}
      <span className="faint current-steps">{currentSteps.join(", ")}</span>
    </div>
  );
}
