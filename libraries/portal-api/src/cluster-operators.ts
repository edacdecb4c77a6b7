import { type Static, Type } from "typebox";
import { closed } from "./shape.ts";

const text = Type.String();

const operatorConditionSchema = closed({
  type: text,
  status: text,
  reason: text,
  message: text,
  lastUpdated: text,
});
export type OperatorCondition = Static<typeof operatorConditionSchema>;

export const clusterOperatorsSchema = closed({
  operators: Type.Array(
    closed({
      name: text,
      available: Type.String({
        description: "`True`, `False` or `Unknown`. The next two properties have the same values",
      }),
      progressing: text,
      degraded: text,
      conditions: Type.Array(operatorConditionSchema),
    }),
  ),
});
export type ClusterOperators = Static<typeof clusterOperatorsSchema>;
export type ClusterOperatorView = ClusterOperators["operators"][number];
