import { type Static, Type } from "typebox";
import { roleSchema } from "./info.ts";
import { closed, oneOf, time } from "./shape.ts";

const text = Type.String();
const problem = closed({ code: text, message: text });

/** Schema of an administrative action's parameter. */
const actionParameterSchema = closed({
  name: Type.String({ description: "name of the query parameter, or a description of the body" }),
  in: oneOf("query", "body"),
  type: oneOf("string", "boolean", "object"),
  required: Type.Boolean(),
  default: Type.Optional(Type.Boolean()),
  allowed: Type.Optional(Type.Array(text, { description: "allowed values, case-insensitive" })),
  fields: Type.Optional(
    Type.Array(text, {
      description: "names of the string fields of the body. Missing if the body may be any JSON object",
    }),
  ),
});
export type ActionFormParameter = Static<typeof actionParameterSchema>;

/** Schema of an administrative action's declaration, with the person's permissions. */
const actionFormSchema = closed({
  action: Type.String({ description: "method and path suffix, for example `POST startvm`" }),
  summary: text,
  remarks: text,
  role: roleSchema,
  changes: Type.Boolean({ description: "true if the action changes something" }),
  destructive: Type.Boolean({
    description: "true if the person must enter the cluster's name to confirm the action",
  }),
  allowed: Type.Boolean(),
  needsReason: Type.Boolean(),
  needsApproval: Type.Boolean({ description: "true if a second person must approve the action" }),
  parameters: Type.Array(actionParameterSchema),
});
export type ActionForm = Static<typeof actionFormSchema>;

export const actionFormsSchema = closed({
  adminApi: Type.Optional(Type.String({ description: "URL of the admin API" })),
  adminScope: Type.Optional(
    Type.String({ description: "OAuth scope of the access tokens that the admin API accepts" }),
  ),
  unavailable: Type.Optional(Type.String({ description: "the reason why actions cannot run" })),
  forms: Type.Array(actionFormSchema),
  freeze: Type.Optional(closed({ until: text, reason: text, emergency: Type.Boolean() })),
  elevation: Type.Optional(
    closed({
      maxMinutes: Type.Integer(),
      eligible: Type.Boolean({ description: "true if the person's groups allow the role `elevated`" }),
      until: Type.Optional(time("end of the activated role")),
    }),
  ),
});
export type ActionForms = Static<typeof actionFormsSchema>;

const query = Type.Record(Type.String({ pattern: "^[a-zA-Z]{1,64}$" }), Type.String({ maxLength: 2_048 }), {
  maxProperties: 16,
});

export const newActionRequestSchema = closed({
  action: Type.String({ maxLength: 100 }),
  query,
  body: Type.Optional(Type.Unknown({ description: "JSON" })),
  reason: Type.Optional(Type.String({ maxLength: 1_024 })),
});
export type NewActionRequest = Static<typeof newActionRequestSchema>;

export const adminReadSchema = closed({ action: Type.String({ maxLength: 100 }), query });
export type AdminRead = Static<typeof adminReadSchema>;

/** Schema of an admin API response. The content of the response is always a string. */
export const actionOutcomeSchema = closed({
  state: oneOf("Running", "Succeeded", "Failed", "Interrupted", "Unknown"),
  content: Type.String({ description: "text, or indented JSON" }),
  truncated: Type.Boolean({ description: "true if the content is only a part of the result" }),
  error: Type.Optional(problem),
});
export type ActionOutcome = Static<typeof actionOutcomeSchema>;

export const actionRequestSchema = closed({
  id: text,
  action: text,
  parameters: Type.Record(text, Type.Unknown()),
  state: oneOf("AwaitingApproval", "Ready", "Submitted", "Ended", "Rejected", "Expired"),
  requestedBy: text,
  isOwn: Type.Boolean(),
  mayDecide: Type.Boolean({ description: "true if the person may approve or reject the request" }),
  reason: Type.Optional(text),
  createdAt: time("time of the request"),
  expiresAt: time("end of the time for approval and confirmation"),
  decision: Type.Optional(closed({ by: text, at: time("time of the decision"), approved: Type.Boolean() })),
  confirmation: Type.Optional(
    closed({
      token: Type.String({ description: "one-time token that runs the action" }),
      expiresAt: time("expiry time of the token"),
    }),
  ),
  body: Type.Optional(
    Type.String({
      description:
        "parameters as indented JSON. Only in responses about a single request, for its requester and its approvers",
    }),
  ),
  outcome: Type.Optional(actionOutcomeSchema),
});
export type ActionRequestView = Static<typeof actionRequestSchema>;

export const actionRequestsSchema = closed({ requests: Type.Array(actionRequestSchema) });
export type ActionRequests = Static<typeof actionRequestsSchema>;

export const runActionSchema = closed({
  token: Type.String({ maxLength: 100 }),
  cluster: Type.Optional(
    Type.String({ maxLength: 100, description: "name of the cluster, for destructive actions" }),
  ),
});
export type RunAction = Static<typeof runActionSchema>;

export const decisionSchema = closed({ approve: Type.Boolean() });

export const elevationRequestSchema = closed({
  reason: Type.String({ minLength: 1, maxLength: 1_024 }),
  minutes: Type.Integer({ minimum: 1, maximum: 480 }),
});
export const elevationSchema = closed({ until: time("end of the activated role") });
