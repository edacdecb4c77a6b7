import { approveRequests, checkRequestName } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** Approves a certificate signing request; all of them when none is named. */
export const approveCsr: AdminAction<{ readonly csrName: string }> = {
  method: "POST",
  suffix: "approvecsr",
  mutating: true,
  read(request) {
    const csrName = request.query("csrName") ?? "";
    checkRequestName(csrName);
    return { csrName };
  },
  async handle(context, { csrName }) {
    await approveRequests(context, csrName);
    return { status: 200 };
  },
};
