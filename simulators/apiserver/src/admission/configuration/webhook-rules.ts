import { fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import type { Strategy } from "@keelson/kinds";
import { conditionCauses } from "./expression-causes.ts";
import { oneOf } from "./one-of.ts";
import { withScopes } from "./rule-scopes.ts";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const threeSegments = new RegExp(`^${label}(\\.${label}){2,}$`);
const reviewVersions = ["v1", "v1beta1"];
const sideEffects = ["None", "NoneOnDryRun"];
const maxTimeoutSeconds = 30;

/** Defaults and validation of MutatingWebhookConfigurations and ValidatingWebhookConfigurations. */
export const webhookConfigurationRules: Strategy = {
  generation: {},
  requiresResourceVersion: true,
  applyDefaults: (configuration) => {
    const webhooks = listAt(configuration, "webhooks");
    const reinvoked = configuration.kind === "MutatingWebhookConfiguration";
    return webhooks.length === 0
      ? configuration
      : {
          ...configuration,
          webhooks: webhooks.map((each) => withWebhookDefaults(objectAt(each), reinvoked)),
        };
  },
  validate: (configuration) => {
    const webhooks = listAt(configuration, "webhooks");
    const names = webhooks.map((each) => scalarStringAt(each, "name"));
    return webhooks.flatMap((each, at) => [
      ...validateWebhook(each, `webhooks[${at}]`),
      ...(names.indexOf(names[at] ?? "") < at
        ? [fieldError.duplicate(`webhooks[${at}].name`, names[at])]
        : []),
    ]);
  },
};

function withWebhookDefaults(
  webhook: Readonly<Record<string, unknown>>,
  reinvoked: boolean,
): Readonly<Record<string, unknown>> {
  const service = valueAt(webhook, "clientConfig", "service");
  return {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...(reinvoked ? { reinvocationPolicy: "Never" } : {}),
    ...webhook,
    ...(service
      ? {
          clientConfig: {
            ...objectAt(webhook, "clientConfig"),
            service: { port: 443, ...objectAt(service) },
          },
        }
      : {}),
    ...(webhook.rules ? { rules: withScopes(listAt(webhook, "rules")) } : {}),
  };
}

function validateWebhook(webhook: unknown, path: string): readonly StatusCause[] {
  const name = scalarStringAt(webhook, "name");
  const timeout = Number(scalarStringAt(webhook, "timeoutSeconds"));
  const versions = stringsAt(webhook, "admissionReviewVersions");
  const causes: StatusCause[] = [];
  if (!name) causes.push(fieldError.required(`${path}.name`));
  else if (!threeSegments.test(name)) {
    causes.push(
      fieldError.invalid(
        `${path}.name`,
        name,
        "should be a domain with at least three segments separated by dots",
      ),
    );
  }
  if (!valueAt(webhook, "sideEffects")) {
    causes.push(fieldError.required(`${path}.sideEffects`, "must specify one of None, NoneOnDryRun"));
  } else causes.push(...oneOf(webhook, path, "sideEffects", sideEffects));
  if (versions.length === 0) {
    causes.push(
      fieldError.required(
        `${path}.admissionReviewVersions`,
        `must specify one of ${reviewVersions.join(", ")}`,
      ),
    );
  } else if (!versions.some((each) => reviewVersions.includes(each))) {
    const why = `must include at least one of ${reviewVersions.join(", ")}`;
    causes.push(fieldError.invalid(`${path}.admissionReviewVersions`, versions, why));
  }
  if (timeout < 1 || timeout > maxTimeoutSeconds) {
    const why = "the timeout value must be between 1 and 30 seconds";
    causes.push(fieldError.invalid(`${path}.timeoutSeconds`, timeout, why));
  }
  return [
    ...causes,
    ...oneOf(webhook, path, "failurePolicy", ["Fail", "Ignore"]),
    ...oneOf(webhook, path, "matchPolicy", ["Equivalent", "Exact"]),
    ...oneOf(webhook, path, "reinvocationPolicy", ["IfNeeded", "Never"]),
    ...validateClient(objectAt(webhook, "clientConfig"), `${path}.clientConfig`),
    ...conditionCauses(listAt(webhook, "matchConditions"), `${path}.matchConditions`),
  ];
}

function validateClient(client: Readonly<Record<string, unknown>>, path: string): readonly StatusCause[] {
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    return [fieldError.required(path, "exactly one of url or service is required")];
  }
  if (typeof url !== "string") return [];
  const parsed = URL.parse(url);
  if (parsed?.protocol === "https:" && !parsed.search && !parsed.hash && !parsed.username) return [];
  const why = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
  return [fieldError.invalid(`${path}.url`, url, why)];
}
