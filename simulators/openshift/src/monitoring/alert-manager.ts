import { createHash } from "node:crypto";
import type { Response } from "./http-response.ts";
import type { FiringAlert } from "./metrics/alerts.ts";

/** Serves the read requests of the Alertmanager API, version 2. */
export async function serveAlertManager(
  { pathname }: URL,
  now: Date,
  readAlerts: () => Promise<readonly FiringAlert[]>,
): Promise<Response> {
  if (pathname === "/-/ready" || pathname === "/-/healthy") return { status: 200, text: "OK" };
  if (pathname !== "/api/v2/alerts") return { status: 404, text: "404 page not found\n" };
  const alerts = await readAlerts();
  return { status: 200, json: alerts.map((alert) => render(alert, now)) };
}

const receivers = [{ name: "Default" }];
const lastsMs = 240_000;

function render({ labels, summary, sinceMs }: FiringAlert, now: Date): object {
  return {
    annotations: { summary },
    endsAt: new Date(now.getTime() + lastsMs).toISOString(),
    fingerprint: createHash("sha256").update(JSON.stringify(labels)).digest("hex").slice(0, 16),
    receivers,
    startsAt: new Date(sinceMs).toISOString(),
    status: { inhibitedBy: [], silencedBy: [], state: "active" },
    updatedAt: now.toISOString(),
    generatorURL: "",
    labels,
  };
}
