import { request } from "node:http";
import type { Duplex } from "node:stream";
import { isPlainObject, messageOf } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";

/** An alert that fires, with its labels. */
export type Alert = ReadonlyMap<string, string>;

const namespace = "openshift-monitoring";
const replicas = ["alertmanager-main-0", "alertmanager-main-1", "alertmanager-main-2"];
const port = 9_093;
const maxBytes = 16 * 2 ** 20;
const maxAlerts = 20_000;

/** What Alertmanager knows, asked of its first replica that answers. @throws Error when none does, or with another status than 200 */
export async function firingAlerts(kube: KubeClient, signal: AbortSignal): Promise<readonly Alert[]> {
  const failures: string[] = [];
  for (const name of replicas) {
    let answer: Answer;
    try {
      answer = await ask(await kube.connectPort({ namespace, name }, port, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: ${messageOf(error)}`);
      continue;
    }
    if (answer.code !== 200) throw new Error(`${name} answered ${answer.code}`);
    return parseAlerts(answer.text);
  }
  throw new Error(`no Alertmanager answers: ${failures.join("; ")}`);
}

interface Answer {
  readonly code: number;
  readonly text: string;
}

function ask(connection: Duplex, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked = request({
    host: `alertmanager-main.${namespace}.svc`,
    port,
    path: "/api/v2/alerts",
    headers: { connection: "close" },
    createConnection: () => connection,
    signal,
  });
  asked.on("error", reject);
  asked.on("response", (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("error", reject);
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) response.destroy(new Error(`the alerts are more than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    response.on("end", () =>
      resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
    );
  });
  asked.end();
  return promise.finally(() => connection.destroy());
}

export function parseAlerts(text: string): readonly Alert[] {
  const alerts: unknown = JSON.parse(text);
  if (!Array.isArray(alerts)) throw new Error("Alertmanager answered no list of alerts");
  if (alerts.length > maxAlerts) throw new Error(`Alertmanager has more than ${maxAlerts} alerts`);
  return alerts.map((alert) => {
    const labels = isPlainObject(alert) && isPlainObject(alert.labels) ? alert.labels : {};
    return new Map(
      Object.entries(labels).filter((label): label is [string, string] => typeof label[1] === "string"),
    );
  });
}
