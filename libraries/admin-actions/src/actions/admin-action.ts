import type { AdminRole } from "@keelson/auth";
import type { JsonObject, JsonValue } from "@keelson/base";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import type { ActionInput, ActionParameter } from "./action-parameter.ts";

/** Action of an administrator on one cluster. The declarations of its parameters are in `DeclaredAction`. */
export interface AdminAction<P extends JsonObject = JsonObject> {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Lower-case path suffix after the cluster's path. The method and the suffix form the action's name. */
  readonly suffix: string;
  /**
   * True if the action changes the cluster. The action then has exclusive access to the cluster across all processes of the
   * service. Cluster operations and maintenance tasks wait until the action has ended.
   */
  readonly mutating: boolean;
  /** True for planned work. During such an action, the service does not report unplanned maintenance. */
  readonly planned?: boolean;
  /** True if the action interrupts workloads, or removes or replaces its target. */
  readonly destructive?: boolean;
  /**
   * Returns the parameters that the request contained, without the parameters computed from the caller's role. Default: all
   * parameters.
   */
  requested?(parameters: P): JsonObject;
  /**
   * Time limit for an action that may take longer than other requests. With this setting, a mutating action also continues after
   * its caller disconnects.
   */
  readonly long?: LongAction;
  /** Reads and validates the parameters. @throws CloudError */
  read(input: ActionInput): P;
  /** Returns the parameters that are recorded and shown. Default: all. A resumable action must record all of its parameters. */
  recorded?(parameters: P): JsonObject;
  /** Runs the action and streams its result. Errors of Azure and of the cluster may be thrown unchanged. */
  handle(context: ActionContext, parameters: P, journal: ActionJournal): Promise<ActionResult>;
}

export interface LongAction {
  readonly limitMs: number;
  /**
   * True if a second process may rerun the action after a crash. Such an action may depend only on the present state and its
   * journal.
   */
  readonly resumable?: boolean;
  /** True if the action continues after its caller disconnects. */
  readonly detached?: boolean;
}

export interface ActionResult {
  readonly status: number;
  /** JSON. */
  readonly body?: object | string;
  /** Plain text that replaces the body. It is streamed in chunks. */
  readonly text?: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** JSON array that replaces the body. It is streamed element by element. */
  readonly items?: Iterable<object> | AsyncIterable<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Parameters = Readonly<Record<string, ActionParameter>>;
type Values<D extends Parameters> = { readonly [K in keyof D]: ReturnType<D[K]["read"]> };

interface Declaration<D extends Parameters> {
  readonly method: AdminAction["method"];
  readonly suffix: string;
  /** Minimum role for the action. Actions with the role `elevated` also need a reason if the configuration requires reasons. */
  readonly role: AdminRole;
  /** Short description for tables of permissions. */
  readonly summary: string;
  /** Remarks in the action's row of `docs/admin-actions.md`. */
  readonly remarks?: string;
  readonly planned?: boolean;
  /** True if the action interrupts workloads, or removes or replaces its target. Default: false. */
  readonly destructive?: boolean;
  readonly long?: LongAction;
  /** Parameters in the order in which the action reads them. The keys are the field names in the action's record. */
  readonly parameters: D;
  /** Validates parameters that depend on each other. @throws CloudError */
  check?(parameters: Values<D>): void;
  recorded?(parameters: Values<D>): JsonObject;
  /** Runs the action and returns its result, if any. The response status is 200. */
  handle(
    context: ActionContext,
    parameters: Values<D>,
    journal: ActionJournal,
  ): Promise<Omit<ActionResult, "status">> | Promise<void>;
}

/** Declaration of an action for which a person can submit a request. It does not include the function that runs the action. */
export interface RequestableAction extends Omit<AdminAction, "handle"> {
  readonly role: AdminRole;
  readonly summary: string;
  readonly remarks: string;
  /** True if change freezes do not apply. Default: false. */
  readonly allowedInFreeze?: boolean;
  readonly parameters: readonly ActionParameter[];
}

/** Action with the data for its route, role, documentation and form. */
export interface DeclaredAction extends AdminAction, RequestableAction {}

/** Creates an action from its declaration. Every method except GET counts as a change of the cluster. */
export function declareAction<D extends Parameters>(declaration: Declaration<D>): DeclaredAction {
  const { parameters, remarks = "", check, handle, recorded, ...action } = declaration;
  const ofCaller = new Set(Object.keys(parameters).filter((key) => parameters[key]?.in === "caller"));
  return {
    ...action,
    ...(recorded ? { recorded: (found) => recorded(found as Values<D>) } : {}),
    remarks,
    mutating: action.method !== "GET",
    parameters: Object.values(parameters),
    requested: (found) => Object.fromEntries(Object.entries(found).filter(([key]) => !ofCaller.has(key))),
    read(input) {
      const values = Object.entries(parameters).map(([key, each]): [string, JsonValue] => [
        key,
        each.read(input),
      ]);
      const found = Object.fromEntries(values);
      check?.(found as Values<D>);
      return found;
    },
    handle: async (context, found, journal) => ({
      status: 200,
      ...(await handle(context, found as Values<D>, journal)),
    }),
  };
}
