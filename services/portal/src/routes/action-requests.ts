import type { ActionForms, ActionRequestView } from "@keelson/portal-api";
import {
  adminReadSchema,
  decisionSchema,
  newActionRequestSchema,
  runActionSchema,
} from "@keelson/portal-api";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { actionForms } from "../action-requests/action-forms.ts";
import {
  ActionRequests,
  type ActionRequestsDeps,
  type Caller,
  readByAction,
} from "../action-requests/action-requests.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import {
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
} from "../http/portal-route.ts";
import type { Login } from "../sign-in/login.ts";

export interface ActionRoutesDeps extends Omit<ActionRequestsDeps, "adminApi"> {
  /** Client of the admin API. Undefined if the portal is configured without an admin API. */
  readonly adminApi: ActionRequestsDeps["adminApi"] | undefined;
  /** OAuth scope of the admin API's access tokens. Undefined if the portal requests none. */
  readonly adminScope?: string | undefined;
}

type Handle = (requests: ActionRequests, caller: Caller, context: PortalContext) => Promise<unknown>;

/** Routes for administrative actions: forms, requests, approvals, confirmations and results. */
export function actionRoutes(deps: ActionRoutesDeps): readonly PortalRoute[] {
  const { database, adminApi, adminScope, rules, clock } = deps;
  const requests = adminApi && new ActionRequests({ ...deps, adminApi });
  const path = `${clusterPath.data}/action-requests`;
  const route = (method: "GET" | "POST", suffix: string, handle: Handle): PortalRoute => ({
    method,
    path: `${path}${suffix}`,
    carriesClusterData: true,
    async handle(context) {
      if (!requests && suffix === "" && method === "GET") return { status: 200, json: { requests: [] } };
      if (!requests) throw notConfigured();
      context.audit(actorOf(context.login()));
      const json = await handle(requests, await callerOf(deps, context), context);
      context.audit(auditOf(json));
      return { status: 200, json };
    },
  });
  const id = ({ parameter, audit }: PortalContext) => {
    const request = parameter("request");
    audit({ actionRequest: request });
    return request;
  };
  return [
    {
      method: "GET",
      path: "/api/action-forms",
      async handle(context) {
        const login = context.login();
        const unavailable = await unavailableTo(deps, login, context.signal);
        const json: ActionForms = {
          ...(adminApi ? { adminApi: adminApi.url } : {}),
          ...(adminApi && adminScope !== undefined ? { adminScope } : {}),
          ...(unavailable === undefined ? {} : { unavailable }),
          ...actionForms(login, rules, clock.now()),
        };
        return { status: 200, json };
      },
    },
    {
      method: "POST",
      path: `${clusterPath.data}/admin-reads`,
      carriesClusterData: true,
      async handle(context): Promise<PortalResponse> {
        if (!adminApi) throw notConfigured();
        const body = await bodyOf(context, adminReadSchema);
        context.audit({ ...actorOf(context.login()), action: body.action });
        const caller = await callerOf(deps, context);
        const json = await readByAction({ database, rules, clock, adminApi }, caller, body);
        return { status: 200, json };
      },
    },
    route("GET", "", async (all, caller) => ({ requests: await all.list(caller) })),
    route("POST", "", async (all, caller, context) =>
      all.prepare(caller, await bodyOf(context, newActionRequestSchema)),
    ),
    route("GET", "/{request}", (all, caller, context) => all.get(caller, id(context))),
    route("POST", "/{request}/confirmation", (all, caller, context) => all.confirm(caller, id(context))),
    route("POST", "/{request}/decision", async (all, caller, context) => {
      const { approve } = await bodyOf(context, decisionSchema);
      return all.decide(caller, id(context), approve);
    }),
    route("POST", "/{request}/run", async (all, caller, context) =>
      all.run(caller, id(context), await bodyOf(context, runActionSchema)),
    ),
  ];
}

async function callerOf({ database }: ActionRoutesDeps, context: PortalContext): Promise<Caller> {
  const cluster = await getCluster(database, context);
  return { cluster, login: context.login(), signal: context.signal };
}

async function unavailableTo(
  { adminApi }: ActionRoutesDeps,
  login: Login,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!adminApi) return "The portal is configured without an admin API.";
  if (login.subject !== undefined && (await adminApi.isUsableBy(login, signal))) return undefined;
  return "This sign-in has no token for the admin API. Sign in again with your account.";
}

/** @throws BadRequest */
async function bodyOf<Schema extends TSchema>(
  context: PortalContext,
  schema: Schema,
): Promise<Static<Schema>> {
  const body = await context.json();
  if (Value.Check(schema, body)) return body;
  const [error] = Value.Errors(schema, body);
  throw portalErrors.BadRequest(`The body is invalid: ${error?.instancePath} ${error?.message}.`);
}

/** Returns the audit fields for an action: the action, its reason and its result. */
function auditOf(json: unknown): Readonly<Record<string, unknown>> {
  const { id, action, reason, state, outcome }: Partial<ActionRequestView> = Object(json);
  if (action === undefined) return {};
  return { actionRequest: id, action, because: reason, state, outcome: outcome?.state };
}

/** Returns the audit fields that identify the authenticated person. */
function actorOf({ subject, role }: Login): { readonly subject: string | undefined; readonly role: string } {
  return { subject, role };
}

function notConfigured(): Error {
  return portalErrors.NotConfigured("The portal is configured without an admin API: `portal.adminApi`.");
}
