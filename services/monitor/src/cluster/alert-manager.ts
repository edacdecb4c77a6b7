import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { messageOf, objectAt } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";

/** Labels of one firing alert. */
export type Alert = ReadonlyMap<string, string>;

const namespace = "openshift-monitoring";
const replicas = ["alertmanager-main-0", "alertmanager-main-1", "alertmanager-main-2"];
const port = 9_093;
const alertsPath = "/api/v2/alerts";
const maxAlerts = 20_000;

/** Labels by which alerts are counted. Alerts with equal values of these labels are counted together. */
const fields = {
  labels: { alertname: true, namespace: true, severity: true, target: true, secondary_target: true },
};

/**
 * Reads the firing alerts from the first Alertmanager replica that responds.
 * @throws Error if no replica responds, or for a status other than 200
 */
export async function firingAlerts(kube: KubeClient, signal: AbortSignal): Promise<readonly Alert[]> {
  const failures: string[] = [];
  for (const name of replicas) {
    let response: IncomingMessage;
    try {
      response = await ask(await kube.connectPort({ namespace, name }, port, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: ${messageOf(error)}`);
      continue;
    }
    if (response.statusCode !== 200) {
      response.destroy();
      throw new Error(`${name} returned status ${response.statusCode}`);
    }
    const request = `GET ${alertsPath} of ${name}`;
    const selection = { fields, items: [], maxItems: maxAlerts };
    const { value, items } = await kube.readJson(response, request, selection, signal);
    if (!Array.isArray(value)) throw new Error("Alertmanager returned no list of alerts");
    return items.map(alertOf);
  }
  throw new Error(`no Alertmanager responds: ${failures.join("; ")}`);
}

function ask(connection: Duplex, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request({
    host: `alertmanager-main.${namespace}.svc`,
    port,
    path: alertsPath,
    headers: { connection: "close" },
    createConnection: () => connection,
    signal,
  });
  asked.once("error", (error) => {
    connection.destroy();
    reject(error);
  });
  asked.once("response", (response) => {
    response.once("close", () => connection.destroy());
    resolve(response);
  });
  asked.end();
  return promise;
}

export function alertOf(alert: unknown): Alert {
  const labels = objectAt(alert, "labels");
  return new Map(
    Object.entries(labels).filter((label): label is [string, string] => typeof label[1] === "string"),
  );
}
