import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));

/**
 * Status conditions as in operator.openshift.io. Like the original, the schema sets no `x-kubernetes-list-type`, because clients
 * write the complete list.
 */
export const statusConditions = Type.Optional(
  Type.Array(
    Type.Object({
      type: Type.String({ description: "name of the condition in CamelCase" }),
      status: text("True, False or Unknown"),
      reason: text("why, as one word in CamelCase"),
      message: text("why, for people"),
      lastTransitionTime: Type.Optional(
        Type.String({ format: "date-time", description: "when the status last changed" }),
      ),
    }),
    { description: "what the checks found, and how the controllers do" },
  ),
);
