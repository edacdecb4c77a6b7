import { listAt, messageOf, numberAt, stringAt, valueAt } from "@keelson/base";
import { type Condition, metadataOnly } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";

/** Webhook that a Service provides. */
export interface WebhookService {
  readonly webhook: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** CA bundle in PEM. */
  readonly authorities: string;
  /** True if the API server ignores failures of the webhook. */
  readonly isIgnored: boolean;
  /** True if a different operator injects the CA bundle. In this case, the bundle may be missing for some time. */
  readonly isInjected: boolean;
  readonly timeoutMs: number;
}

/**
 * Connects to a webhook in the same way as an API server.
 * @throws Error if the connection fails
 */
export type DialWebhook = (service: WebhookService, signal: AbortSignal) => Promise<void>;

const injection = "service.beta.openshift.io/inject-cabundle";
const defaultTimeoutSeconds = 10;

/** Returns the Services of an admission webhook configuration. */
export function admissionServices(configuration: KubeObject): readonly WebhookService[] {
  const isInjected = isInjectedInto(configuration);
  return listAt(configuration, "webhooks").flatMap((webhook) =>
    serviceOf(stringAt(webhook, "name") ?? "", webhook, {
      isInjected,
      isIgnored: stringAt(webhook, "failurePolicy") === "Ignore",
      timeoutMs: (numberAt(webhook, "timeoutSeconds") ?? defaultTimeoutSeconds) * 1_000,
    }),
  );
}

/**
 * Reduces a CustomResourceDefinition to its conversion. The schemas of all definitions in a cluster would need a megabyte of
 * memory.
 */
export function conversionOnly(definition: KubeObject): KubeObject {
  const conversion = valueAt(definition, "spec", "conversion");
  return { ...metadataOnly(definition), ...(conversion === undefined ? {} : { spec: { conversion } }) };
}

/** Returns the Services of a CustomResourceDefinition's conversion webhook. */
export function conversionServices(definition: KubeObject): readonly WebhookService[] {
  const webhook = valueAt(definition, "spec", "conversion", "webhook");
  return serviceOf(definition.metadata.name, webhook, {
    isInjected: isInjectedInto(definition),
    isIgnored: false,
    timeoutMs: defaultTimeoutSeconds * 1_000,
  });
}

/**
 * Returns a condition that is True if a webhook has an error. The condition is False if all webhook Services exist and respond.
 * Webhooks with `isIgnored` are not checked.
 */
export async function webhookCondition(
  type: string,
  services: readonly WebhookService[],
  exists: (service: WebhookService) => boolean,
  dial: DialWebhook,
  signal: AbortSignal,
): Promise<Condition> {
  const [missing, unreachable]: [string[], string[]] = [[], []];
  for (const each of services) {
    if (each.isIgnored) continue;
    const name = `${each.service}.${each.namespace}`;
    if (!exists(each)) {
      missing.push(`${each.webhook}: unable to find service ${name}: service "${each.service}" not found`);
      continue;
    }
    try {
      if (each.authorities === "" && each.isInjected)
        throw new Error(`the caBundle of the webhook, which the service-ca operator fills in, is empty`);
      await dial(each, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      unreachable.push(`${each.webhook}: ${messageOf(error)}`);
    }
  }
  if (missing.length + unreachable.length === 0) return { type, status: "False" };
  const reason =
    missing.length === 0
      ? "WebhookServiceConnectionError"
      : unreachable.length === 0
        ? "WebhookServiceNotFound"
        : "WebhookServiceNotReady";
  return { type, status: "True", reason, message: [...missing, ...unreachable].toSorted().join("\n") };
}

function serviceOf(
  webhook: string,
  value: unknown,
  rest: Pick<WebhookService, "isIgnored" | "isInjected" | "timeoutMs">,
): readonly WebhookService[] {
  const [namespace, service] = ["namespace", "name"].map((member) =>
    stringAt(value, "clientConfig", "service", member),
  );
  if (!namespace || !service) return [];
  const bundle = stringAt(value, "clientConfig", "caBundle") ?? "";
  return [
    {
      webhook,
      namespace,
      service,
      port: numberAt(value, "clientConfig", "service", "port") ?? 443,
      authorities: Buffer.from(bundle, "base64").toString(),
      ...rest,
    },
  ];
}

function isInjectedInto({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[injection]?.toLowerCase() === "true";
}
