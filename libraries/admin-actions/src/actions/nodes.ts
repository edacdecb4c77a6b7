import { approveRequests, checkRequestName } from "../kubernetes/approve-requests.ts";
import { cordonNode as cordon } from "../kubernetes/cordon-node.ts";
import { drainNode as drain } from "../kubernetes/drain-node.ts";
import { topNodes as nodesUsage, topPods as podsUsage } from "../kubernetes/resource-usage.ts";
import { type ActionParameter, flag, text, vmName } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";

export const cordonNode = declareAction({
  method: "POST",
  suffix: "cordonnode",
  role: "operator",
  summary: "cordon or uncordon a node",
  remarks: "`true` cordons the node, `false` uncordons it",
  parameters: { vmName, shouldCordon: flag("shouldCordon") },
  handle: (context, parameters) => cordon(context, parameters.vmName, parameters.shouldCordon),
});

export const drainNode = declareAction({
  method: "POST",
  suffix: "drainnode",
  role: "operator",
  summary: "drain a node",
  destructive: true,
  remarks: "deletes the node's pods, even if the node is not cordoned; 3 minutes at most",
  long: { limitMs: 4 * 60_000 },
  parameters: { vmName },
  handle: (context, parameters) => drain(context, parameters.vmName),
});

/**
 * True if the caller may approve certificate requests of all signers. This requires the role `elevated` and a reason, even if the
 * configuration does not require reasons.
 */
const mayApproveAny: ActionParameter<boolean> = {
  name: "mayApproveAny",
  in: "caller",
  type: "boolean",
  read: (input) => input.hasRole("elevated") && input.reason !== undefined,
};

export const approveCsr = declareAction({
  method: "POST",
  suffix: "approvecsr",
  role: "operator",
  summary: "approve certificate requests",
  remarks:
    "without `csrName`: approves each pending certificate signing request (CSR) in which the kubelet of an existing Machine requests its own certificate. To approve any other CSR, set `csrName`; this needs the role `elevated` and a reason",
  parameters: { csrName: text("csrName", checkRequestName), mayApproveAny },
  recorded: ({ csrName }) => ({ csrName }),
  handle: (context, { csrName: name, mayApproveAny: isAllowed }) =>
    approveRequests(context, { name, mayApproveAny: isAllowed }),
});

export const topPods = declareAction({
  method: "GET",
  suffix: "top/pods",
  role: "reader",
  summary: "what pods use",
  remarks: "CPU and memory usage, also as percentage of the node",
  parameters: {
    allNamespaces: {
      ...flag("allNamespaces", true),
      // The comparison is case-sensitive, unlike for other flags, because the original compares case-sensitively.
      read: (input) => input.query("allNamespaces") !== "false",
    },
  },
  handle: async (context, query) => ({ body: await podsUsage(context, query) }),
});

export const topNodes = declareAction({
  method: "GET",
  suffix: "top/nodes",
  role: "reader",
  summary: "what nodes use",
  remarks: "CPU and memory usage, also as percentage of the node",
  parameters: {},
  handle: async (context) => ({ body: await nodesUsage(context) }),
});
