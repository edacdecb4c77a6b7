import { type ActionContext, getVm } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { isPlainObject, messageOf } from "@keelson/base";
import { isSshUser, openSession, portalSshCommand, sshUserOf } from "@keelson/portal-sessions";
import { serviceAction } from "../admin-actions/admin-action.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Route } from "../http/route.ts";
import { personOf } from "./person.ts";

const ttlSeconds = 60;

/**
 * Returns an SSH command that connects to a master through the portal. The command's password is valid for one connection within
 * one minute.
 */
export const newElevatedSsh: Route = serviceAction<{ readonly master: number }>(
  { method: "POST", suffix: "ssh/newelevated" },
  ({ portal, database, clock }, request) => ({
    read() {
      const master = masterOf(request);
      if (!portal?.().ssh) {
        throw new CloudError(
          "InternalServerError",
          "Portal SSH host key is not available; the SSH endpoint is disabled.",
          { status: 503 },
        );
      }
      return { master };
    },
    async handle(context, { master }) {
      const access = portal?.();
      if (!access?.ssh) throw new Error("the portal has no SSH server");
      const { username, user } = callerOf(request);
      await checkPower(context, master);
      const { document, signal } = context;
      const { elevation } = request;
      const terms = { cluster: document, portal: { username, ssh: { master } }, ttlSeconds, elevation };
      const password = await openSession(database, terms, { clock, signal });
      const command = portalSshCommand(user, new URL(access.url).hostname, access.ssh);
      return { status: 200, body: { command, password } };
    },
  }),
);

function masterOf(request: RequestContext): number {
  const body = request.json();
  const master = isPlainObject(body) ? (body.master ?? 0) : undefined;
  if (typeof master !== "number" || !Number.isInteger(master)) {
    throw new CloudError(
      "InvalidRequestContent",
      "The request body could not be parsed: it must be an object whose 'master' is a whole number.",
    );
  }
  if (master < 0 || master > 2)
    throw new CloudError("InvalidParameter", "master must be 0, 1, or 2.", { target: "master" });
  return master;
}

/** Returns the person, and the person's user name for the SSH command. */
function callerOf(request: RequestContext): { readonly username: string; readonly user: string } {
  const username = personOf(request);
  if (username === "") {
    throw new CloudError("InvalidParameter", "The caller identity could not be determined from the request.");
  }
  const user = sshUserOf(username);
  if (!isSshUser(user))
    throw new CloudError("InvalidParameter", "The caller identity contains unsupported characters.");
  return { username, user };
}

/** Rejects a stopped machine, because the connection to it would time out. A machine with an unknown power state is accepted. */
async function checkPower(context: ActionContext, master: number): Promise<void> {
  const { infraId } = context.document.openShiftCluster.properties;
  const power = await powerStateOf(context, `${infraId}-master-${master}`);
  if (power === undefined || power === "PowerState/running") return;
  throw new CloudError(
    "InvalidParameter",
    `master-${master} is not running (${power}); power it on or choose a running master.`,
    { target: "master" },
  );
}

async function powerStateOf(context: ActionContext, vmName: string): Promise<string | undefined> {
  try {
    const { instanceView } = await getVm(context, vmName);
    const codes = (instanceView?.statuses ?? []).flatMap(({ code }) => code ?? []);
    return codes.find((code) => code.startsWith("PowerState/"));
  } catch (error) {
    context.signal.throwIfAborted();
    context.logger.warn({ vmName, reason: messageOf(error) }, "the power state of a master is not known");
    return undefined;
  }
}
