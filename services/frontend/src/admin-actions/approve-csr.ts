import { approveRequests, checkRequestName } from "@keelson/admin-actions";
import { reasonOf } from "../http/administrator.ts";
import type { AdminAction } from "./running/admin-action.ts";

/** Approves a certificate signing request. Without a name, all pending ones of kubelets. */
export const approveCsr: AdminAction<{ readonly csrName: string; readonly mayApproveAny: boolean }> = {
  method: "POST",
  suffix: "approvecsr",
  mutating: true,
  read(request) {
    const csrName = request.query("csrName") ?? "";
    checkRequestName(csrName);
    return { csrName, mayApproveAny: request.hasRole("elevated") && reasonOf(request) !== undefined };
  },
  recorded: ({ csrName }) => ({ csrName }),
  async handle(context, { csrName, mayApproveAny }) {
    await approveRequests(context, { name: csrName, mayApproveAny });
    return { status: 200 };
  },
};
