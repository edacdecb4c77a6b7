import { type ActionInput, actionDigest, type RequestableAction } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type AdminRole, hasRole } from "@keelson/auth";
import type { JsonObject, JsonValue } from "@keelson/base";
import { portalErrors } from "../errors/portal-errors.ts";
import type { Login } from "../sign-in/login.ts";
import { nameOf } from "./action-forms.ts";

/** Query and body of a call to the admin API. */
export interface ActionCall {
  readonly query: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

export interface CheckedCall {
  /** Digest of the action with its parameters. The admin API computes the digest too and compares both. */
  readonly digest: string;
  /** Parameters as they are stored and logged, without secrets. */
  readonly recorded: JsonObject;
}

/** Checks the parameters of an action with the same rules as the admin API. @throws BadRequest */
export function checkCall(
  action: RequestableAction,
  call: ActionCall,
  { role }: Login,
  reason: string | undefined,
): CheckedCall {
  const known = new Set(
    action.parameters.filter((each) => ["query", "path"].includes(each.in)).map(({ name }) => name),
  );
  const unknown = Object.keys(call.query).find((name) => !known.has(name));
  if (unknown !== undefined) throw portalErrors.BadRequest(`The action has no parameter '${unknown}'.`);
  const hasBody = action.parameters.some((each) => each.in === "body");
  if (!hasBody && call.body !== undefined) throw portalErrors.BadRequest("The action has no body.");
  try {
    const found = action.read(inputOf(call, role, reason));
    const requested = action.requested?.(found) ?? found;
    return {
      digest: actionDigest(nameOf(action), requested),
      recorded: action.recorded?.(found) ?? requested,
    };
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
    throw portalErrors.BadRequest(cause.message, { cause });
  }
}

function inputOf({ query, body }: ActionCall, role: AdminRole, reason: string | undefined): ActionInput {
  return {
    query: (name) => (Object.hasOwn(query, name) ? query[name] : undefined),
    bodyBytes: () => Buffer.from(body === undefined ? "" : JSON.stringify(body)),
    json: () => body ?? null,
    read: (read) => read(body ?? null),
    hasRole: (needed) => hasRole(role, needed),
    reason,
  };
}

/** Returns the path and query of a call, relative to the admin API's URL. */
export function targetOf(action: RequestableAction, resourceId: string, { query }: ActionCall): string {
  const ofPath = new Set(action.parameters.flatMap((each) => (each.in === "path" ? [each.name] : [])));
  const inQuery = Object.entries(query).filter(([name]) => !ofPath.has(name));
  const search = new URLSearchParams(inQuery).toString();
  const path = action.suffix.replace(/:(\w+)/g, (_, name) => encodeURIComponent(query[name] ?? ""));
  return `/admin${resourceId}/${path}${search === "" ? "" : `?${search}`}`;
}
