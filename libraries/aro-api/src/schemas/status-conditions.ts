import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));

/** As operator.openshift.io has them. Without a list type, as in the original: its clients write the list whole. */
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
