import { alertsPath } from "./alerts-path.ts";
import { sessionsPath } from "./sessions-path.ts";

/** Pages about all clusters, with their paths. */
export const fleetPages = [
  { title: "Clusters", path: "/" },
  { title: "Alerts", path: alertsPath },
  { title: "My sessions", path: sessionsPath },
] as const;
