import { startActuator, startScheduler } from "@keelson/maintenance";
import type { PartsOptions, ServiceParts } from "./start-parts.ts";
import { type RoleProcess, startRoleProcess } from "./start-role-process.ts";

export const maintenanceRoles = ["actuator", "scheduler"] as const;
export type MaintenanceRole = (typeof maintenanceRoles)[number];

export interface RunningRole extends AsyncDisposable {
  ready(): boolean;
}

/** Starts the scheduler or the actuator of planned maintenance, in a separate process or together with other roles. */
export function startRole(role: MaintenanceRole, parts: ServiceParts): RunningRole {
  const { config, environment, clock, metrics, tracing } = parts;
  const { database } = environment;
  const logger = parts.logger.child({ component: role });
  if (role === "scheduler") {
    return startScheduler({ database, domain: config.domain, clock, logger, metrics });
  }
  const { leaseMs, heartbeatMs, drainMs } = config;
  return startActuator({
    ...{ database, environment: environment.cluster, clock, logger, metrics, tracing },
    ...{ leaseMs, heartbeatMs, drainMs },
  });
}

export interface MaintenanceDeps extends Omit<PartsOptions, "service"> {
  readonly role: MaintenanceRole;
}

/** Starts the scheduler or the actuator of planned maintenance, with a separate database connection. Disposal drains the role. */
export function startMaintenance({ role, ...deps }: MaintenanceDeps): Promise<RoleProcess> {
  return startRoleProcess(
    { ...deps, service: `mimo_${role}` },
    {
      start: async (stack, parts) => stack.use(startRole(role, parts)),
      notReady: "The process has no share of the work yet.",
    },
  );
}
