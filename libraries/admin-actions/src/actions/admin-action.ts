import type { AdminRole } from "@keelson/auth";
import type { JsonObject, JsonValue } from "@keelson/base";
import type { ActionContext } from "../context/action-context.ts";
import type { ActionJournal } from "../context/action-journal.ts";
import type { ActionInput, ActionParameter } from "./action-parameter.ts";

/** Action of administrators on one cluster, without the declaration of its parameters. */
export interface AdminAction<P extends JsonObject = JsonObject> {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Path below the cluster's, lower case. With the method, its name. */
  readonly suffix: string;
  /** Changes the cluster: it has the cluster exclusively, in all replicas, without operations and maintenance. */
  readonly mutating: boolean;
  /** Planned work: it is not signalled as unplanned maintenance. */
  readonly planned?: boolean;
  /** Interrupts workloads, or removes or replaces what it names. */
  readonly destructive?: boolean;
  /** Parameters of the request alone, without those of its caller. Default: all. */
  requested?(parameters: P): JsonObject;
  /**
   * Time limit beyond other requests. An action that changes the cluster may then also run without its
   * caller.
   */
  readonly long?: LongAction;
  /** Reads and validates the parameters. @throws CloudError */
  read(input: ActionInput): P;
  /** Parameters that are recorded and shown. Default: all. Not for resumable actions, which need all. */
  recorded?(parameters: P): JsonObject;
  /**
   * May throw errors of Azure and of the cluster unchanged. The action includes the streaming of its result.
   */
  handle(context: ActionContext, parameters: P, journal: ActionJournal): Promise<ActionResult>;
}

export interface LongAction {
  readonly limitMs: number;
  /**
   * True if a second process may run it again after a crash. It then depends only on the state it finds and
   * on its journal.
   */
  readonly resumable?: boolean;
  /** Continues when its caller hangs up. */
  readonly detached?: boolean;
}

export interface ActionResult {
  readonly status: number;
  /** JSON. */
  readonly body?: object | string;
  /** Plain text instead of the body, streamed in chunks. */
  readonly text?: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** JSON array instead of the body, sent element by element. */
  readonly items?: Iterable<object> | AsyncIterable<object>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Parameters = Readonly<Record<string, ActionParameter>>;
type Values<D extends Parameters> = { readonly [K in keyof D]: ReturnType<D[K]["read"]> };

interface Declaration<D extends Parameters> {
  readonly method: AdminAction["method"];
  readonly suffix: string;
  /**
   * Minimum role for the action. The role `elevated` needs a reason if the configuration requires reasons.
   */
  readonly role: AdminRole;
  /** Description in a few words, for tables of permissions. */
  readonly summary: string;
  /** Remarks of its row in `docs/admin-actions.md`. */
  readonly remarks?: string;
  readonly planned?: boolean;
  /** Interrupts workloads, or removes or replaces what it names. Default: false. */
  readonly destructive?: boolean;
  readonly long?: LongAction;
  /** Parameters by their names in the record of the action, read in this order. */
  readonly parameters: D;
  /** Validates parameters that depend on each other. @throws CloudError */
  check?(parameters: Values<D>): void;
  recorded?(parameters: Values<D>): JsonObject;
  /** Returns its result, if any. The status is 200. */
  handle(
    context: ActionContext,
    parameters: Values<D>,
    journal: ActionJournal,
  ): Promise<Omit<ActionResult, "status">> | Promise<void>;
}

/** Action that a person can request: everything but its function. */
export interface RequestableAction extends Omit<AdminAction, "handle"> {
  readonly role: AdminRole;
  readonly summary: string;
  readonly remarks: string;
  /** True if change freezes do not apply. Default: false. */
  readonly allowedInFreeze?: boolean;
  readonly parameters: readonly ActionParameter[];
}

/** Action with everything that routes, roles, documents and forms need. */
export interface DeclaredAction extends AdminAction, RequestableAction {}

/** Creates an action from its declaration. It changes the cluster unless its method is GET. */
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
