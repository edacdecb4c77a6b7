import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const problem = closed({ code: Type.String(), message: Type.String() });

/** Schema of one step in the journal of an operation. */
export const stepSchema = closed({
  name: Type.String(),
  startedAt: time("of its first attempt"),
  endedAt: Type.Optional(time("absent while it runs")),
  attempts: Type.Integer({ minimum: 1 }),
  outcome: oneOf("running", "succeeded", "failed"),
  error: Type.Optional(Type.String({ description: "of its last attempt that failed" })),
});
export type OperationStep = Static<typeof stepSchema>;

export const operationSchema = closed({
  id: Type.String(),
  kind: Type.String({ description: "`Creating`, `Updating`, `Deleting`, `AdminUpdating`" }),
  state: Type.String({ description: "its kind while it runs, then `Succeeded`, `Failed` or `Canceled`" }),
  startTime: time("when it was asked for"),
  endTime: Type.Optional(time("absent while it runs")),
  percentComplete: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  currentSteps: Type.Array(Type.String()),
  correlationId: Type.Optional(Type.String()),
  error: Type.Optional(problem),
  steps: Type.Array(stepSchema, { description: "in the order of their starts" }),
});
export type OperationView = Static<typeof operationSchema>;

/** Operations of the last seven days, newest first. */
export const operationsSchema = closed({ operations: Type.Array(operationSchema) });
export type Operations = Static<typeof operationsSchema>;
