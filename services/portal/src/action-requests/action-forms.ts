import {
  adminActions,
  cancelMaintenance,
  freezeAt,
  type GovernanceSettings,
  needsReason,
  planMaintenance,
  type RequestableAction,
} from "@keelson/admin-actions";
import { hasRole } from "@keelson/auth";
import type { ActionForm, ActionFormParameter, ActionForms } from "@keelson/portal-api";
import type { Login } from "../sign-in/login.ts";

export interface ActionRules {
  /** True if actions that require the role `elevated` also require a reason. */
  readonly requireReason: boolean;
  readonly governance: GovernanceSettings;
}

/** Returns the name of an action: its method and path suffix. */
export function nameOf({ method, suffix }: Pick<RequestableAction, "method" | "suffix">): string {
  return `${method} ${suffix}`;
}

/** Actions that have no form on this page, because the maintenance page contains their forms. */
const ofMaintenance: readonly RequestableAction[] = [planMaintenance, cancelMaintenance];
const byName = new Map([...adminActions, ...ofMaintenance].map((action) => [nameOf(action), action]));

export function findAction(name: string): RequestableAction | undefined {
  return byName.get(name);
}

/** Returns the forms of all actions, with a person's permissions. */
export function actionForms(
  login: Login,
  { requireReason, governance }: ActionRules,
  now: Date,
): Pick<ActionForms, "forms" | "freeze" | "elevation"> {
  const freeze = freezeAt(governance, now);
  const { elevation } = governance;
  return {
    forms: adminActions.map((action) => formOf(action, login, { requireReason, governance })),
    ...(freeze
      ? { freeze: { until: freeze.until, reason: freeze.reason, emergency: freeze.emergency } }
      : {}),
    ...(elevation
      ? {
          elevation: {
            maxMinutes: elevation.maxMinutes,
            eligible: login.mayElevate === true,
            ...(login.elevation ? { until: login.elevation.until.toISOString() } : {}),
          },
        }
      : {}),
  };
}

function formOf(
  action: RequestableAction,
  { role }: Login,
  { requireReason, governance }: ActionRules,
): ActionForm {
  const { summary, remarks, parameters, mutating, destructive = false } = action;
  return {
    action: nameOf(action),
    summary,
    remarks,
    role: action.role,
    changes: mutating,
    destructive,
    allowed: hasRole(role, action.role),
    needsReason: requireReason && needsReason(action.role),
    needsApproval: destructive && governance.approval !== undefined,
    parameters: parameters.flatMap((each): ActionFormParameter[] => {
      const { name, in: place, type, required = false, default: byDefault, allowed, fields } = each;
      if (place === "caller" || place === "path") return [];
      return [
        {
          name: name.replaceAll("`", ""),
          in: place,
          type,
          required: required || place === "body",
          ...(typeof byDefault === "boolean" ? { default: byDefault } : {}),
          ...(allowed ? { allowed: [...allowed] } : {}),
          ...(fields ? { fields: [...fields] } : {}),
        },
      ];
    }),
  };
}
