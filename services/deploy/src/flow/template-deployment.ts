import {
  type AzureClients,
  azureErrorCode,
  azureErrorMessage,
  retryAdvice,
  unlessGone,
} from "@keelson/azure";
import { type Clock, isPlainObject, type JsonValue } from "@keelson/base";
import { errors } from "../config/errors.ts";
import {
  type Parameters,
  type ParameterValues,
  renderTemplate,
  type Template,
} from "../template/template.ts";

export interface TemplateDeployment<Declared extends Parameters> {
  readonly azure: AzureClients;
  readonly group: string;
  readonly template: Template<Declared>;
  readonly parameters: ParameterValues<Declared>;
  /** Deployment name. Default: the template's name. */
  readonly name?: string;
  /** Maximum number of attempts. Default: 1. If the error is transient, the maximum is always 3. */
  readonly attempts?: number;
  /** Called before each retry, for example to remove a failed resource. */
  readonly beforeRetry?: () => Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

const pollMs = 10_000;
const betweenAttemptsMs = 30_000;

/**
 * Deploys a template to a group. If a deployment with this name is running, waits for it first. The deployment changes nothing if
 * all resources are up to date.
 * @throws DeploymentFailed naming the failed resources
 */
export async function deployTemplate<const Declared extends Parameters>(
  deployment: TemplateDeployment<Declared>,
  deps: Deps,
): Promise<void> {
  const { azure, group, template, name = template.file, attempts = 1, beforeRetry } = deployment;
  const { clock, signal, report } = deps;
  const { deployments } = azure;
  const properties = { mode: "Incremental" as const, ...bodyOf(deployment) };
  let overtakings = 0;
  for (let attempt = 1; ; attempt++) {
    await awaitEarlier(deployment, name, deps);
    report(`${name}${attempt > 1 ? `, attempt ${attempt}` : ""}`);
    try {
      await deployments
        .createOrUpdate(group, name, { properties }, azure.call(signal))
        .pollUntilDone(azure.call(signal));
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (overtaken.includes(azureErrorCode(error) ?? "") && overtakings++ < mostOvertakings) {
        attempt--;
        await clock.sleep(pollMs, signal);
        continue;
      }
      const reasons = await reasonsOf(deployment, name, error, signal);
      const passes = reasons.some(({ code }) => passing.has(code)) || retryAdvice(error).kind === "retry";
      const reason = reasons.map(({ code, message }) => `${code}: ${message}`).join(" ");
      if (attempt >= (passes ? mostAttempts : attempts)) throw failureOf(group, name, reason, error);
      report(`${name} failed: ${reason}`);
      await beforeRetry?.();
      await clock.sleep(betweenAttemptsMs, signal);
    }
  }
}

/** Returns the request body for a deployment or what-if: the template and its parameters. */
export function bodyOf<Declared extends Parameters>({
  template,
  parameters,
}: Pick<TemplateDeployment<Declared>, "template" | "parameters">): {
  readonly template: Record<string, JsonValue>;
  readonly parameters: Record<string, { value: JsonValue }>;
} {
  return {
    template: JSON.parse(renderTemplate(template)),
    parameters: Object.fromEntries(
      Object.entries<JsonValue | undefined>(parameters).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, { value }]],
      ),
    ),
  };
}

async function awaitEarlier(
  { azure, group }: Pick<TemplateDeployment<Parameters>, "azure" | "group">,
  name: string,
  { clock, signal, report }: Deps,
): Promise<void> {
  const { deployments } = azure;
  for (;;) {
    const state = await stateOf(() => deployments.get(group, name, azure.call(signal)));
    if (state === undefined || ended.includes(state)) return;
    report(`${name}: waiting for the deployment in progress`);
    await clock.sleep(pollMs, signal);
  }
}

/** Azure error codes of transient errors. Azure wraps a transient error in a deployment error that resembles a permanent error. */
const passing = new Set([
  "AnotherOperationInProgress",
  "GatewayTimeout",
  "InternalOperationError",
  "InternalServerError",
  "PrincipalNotFound",
  "RetryableError",
  "ServiceUnavailable",
  "TooManyRequests",
]);
const mostAttempts = 3;

/** Azure error codes that occur if a concurrent process deploys under this deployment's name. */
const overtaken = ["DeploymentActive", "OperationNotFound"];
const mostOvertakings = 100;

const ended = ["Succeeded", "Failed", "Canceled"];

/** True if a deployment with this name has succeeded in the group. */
export async function hasSucceeded(
  azure: AzureClients,
  group: string,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { deployments } = azure;
  return (await stateOf(() => deployments.get(group, name, azure.call(signal)))) === "Succeeded";
}

async function stateOf(
  get: () => Promise<{ readonly properties?: { readonly provisioningState?: string } }>,
): Promise<string | undefined> {
  return (await unlessGone(get))?.properties?.provisioningState;
}

function failureOf(group: string, name: string, reason: string, cause: unknown): Error {
  return errors.DeploymentFailed(
    `The deployment ${name} in the group ${group} failed: ${reason} Fix the cause and run keelson deploy again. It resumes at this step.`,
    { cause },
  );
}

interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Returns the innermost errors, which contain the cause. The outer errors only report that the deployment failed. */
async function reasonsOf(
  { azure, group }: Pick<TemplateDeployment<Parameters>, "azure" | "group">,
  name: string,
  error: unknown,
  signal: AbortSignal,
): Promise<readonly Reason[]> {
  const refused = error instanceof Error && "details" in error ? innermost(error.details) : [];
  if (refused.length > 0) return refused;
  try {
    const { deployments } = azure;
    const { properties } = await deployments.get(group, name, azure.call(signal));
    const failed = innermost(JSON.parse(JSON.stringify(properties?.error ?? null)));
    if (failed.length > 0) return failed;
  } catch {
    signal.throwIfAborted();
  }
  return [{ code: azureErrorCode(error) ?? "error", message: azureErrorMessage(error) }];
}

function innermost(details: unknown): readonly Reason[] {
  if (!isPlainObject(details)) return [];
  const error = isPlainObject(details.error) ? details.error : details;
  const inner = Array.isArray(error.details) ? error.details.flatMap(innermost) : [];
  if (inner.length > 0) return inner;
  return typeof error.message === "string"
    ? [{ code: String(error.code ?? "error"), message: error.message }]
    : [];
}
