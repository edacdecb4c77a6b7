import { checkResize as check } from "@keelson/admin-actions";
import type { AdminAction } from "./running/admin-action.ts";

/** Whether the masters may get another size. */
export const checkResize: AdminAction<{ readonly vmSize: string }> = {
  method: "GET",
  suffix: "preresizevalidation",
  mutating: false,
  long: { limitMs: 60_000 },
  read: (request) => ({ vmSize: request.query("vmSize") ?? "" }),
  async handle(context, { vmSize }) {
    await check(context, vmSize);
    return { status: 200, body: "All pre-flight checks passed" };
  },
};
