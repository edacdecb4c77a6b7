import { alertsPath } from "./alerts-path.ts";
import { sessionsPath } from "./sessions-path.ts";

/** Pages of the fleet, with their paths. */
export const fleetPages = [
  { title: "Clusters", path: "/" },
  { title: "Alerts", path: alertsPath },
  { title: "My sessions", path: sessionsPath },
] as const;
