import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const problem = closed({ code: Type.String(), message: Type.String() });

/** Schema of one step in the journal of an operation. */
const stepSchema = closed({
  name: Type.String(),
  startedAt: time("start of the first attempt"),
  endedAt: Type.Optional(time("end of the step. Missing while the step runs")),
  attempts: Type.Integer({ minimum: 1 }),
  outcome: oneOf("running", "succeeded", "failed"),
  error: Type.Optional(Type.String({ description: "error of the last failed attempt" })),
});
export type OperationStep = Static<typeof stepSchema>;

export const operationSchema = closed({
  id: Type.String(),
  kind: Type.String({ description: "`Creating`, `Updating`, `Deleting`, `AdminUpdating`" }),
  state: Type.String({
    description: "kind of the operation while it runs, then `Succeeded`, `Failed` or `Canceled`",
  }),
  startTime: time("time of the request"),
  endTime: Type.Optional(time("end of the operation. Missing while the operation runs")),
  percentComplete: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  currentSteps: Type.Array(Type.String()),
  correlationId: Type.Optional(Type.String()),
  error: Type.Optional(problem),
  steps: Type.Array(stepSchema, { description: "steps in the order of their start times" }),
});
export type OperationView = Static<typeof operationSchema>;

/** Operations of the last seven days, newest first. */
export const operationsSchema = closed({ operations: Type.Array(operationSchema) });
export type Operations = Static<typeof operationsSchema>;

/** Log lines of an operation's steps. Steps without log lines are omitted. */
export const stepLogsSchema = closed({
  steps: Type.Array(
    closed({
      name: Type.String(),
      omitted: Type.Integer({ minimum: 0, description: "number of older lines that were removed" }),
      entries: Type.Array(
        closed({
          at: time("time of the line"),
          level: oneOf("info", "warning", "error"),
          message: Type.String(),
          details: Type.Optional(Type.String({ description: "other fields of the line as JSON" })),
          attempt: Type.Optional(Type.Integer({ description: "failed attempt, before a retry" })),
          error: Type.Optional(Type.String({ description: "error of the failed attempt" })),
        }),
      ),
    }),
  ),
});
export type StepLogs = Static<typeof stepLogsSchema>;
export type StepLog = StepLogs["steps"][number];

/** Median duration of each step, over all clusters. Only steps that succeeded in their first attempt are counted. */
export const stepDurationsSchema = closed({
  steps: Type.Array(
    closed({
      name: Type.String(),
      medianMs: Type.Integer({ minimum: 0 }),
      count: Type.Integer({ minimum: 1, description: "number of measured steps" }),
    }),
    { maxItems: 500 },
  ),
});
export type StepDurations = Static<typeof stepDurationsSchema>;
