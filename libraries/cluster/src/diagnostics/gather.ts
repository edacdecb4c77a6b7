import type { CloudErrorBody } from "@keelson/arm";
import { type Logger, messageOf, redactText, withTimeout } from "@keelson/base";
import type { ClusterContext } from "../context/context.ts";
import { azureSources } from "./azure.ts";
import { clusterSources } from "./cluster-api.ts";
import type { DiagnosticSource, Finding } from "./finding.ts";
import { hiveSource } from "./hive.ts";
import { operatorSources } from "./operator.ts";

const diagnosticSources: readonly DiagnosticSource[] = [
  ...clusterSources,
  ...operatorSources,
  ...azureSources,
  hiveSource,
];

export interface DiagnosticsRequest {
  readonly isInstall: boolean;
  /** Creates the context in which a source runs. `signal` is a separate signal for each source. */
  readonly contextOf: (signal: AbortSignal) => ClusterContext;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Sources to inspect. Default: all. */
  readonly sources?: readonly DiagnosticSource[];
}

/** Code of the diagnostic details in the operation's error. */
const diagnosticsCode = "FailureDiagnostics";

/**
 * Inspects all sources concurrently, each with a time limit. Never rejects. All findings are logged, but the operation's error
 * contains only their summaries.
 */
export async function gatherDiagnostics(request: DiagnosticsRequest): Promise<readonly CloudErrorBody[]> {
  const sources = (request.sources ?? diagnosticSources).filter(
    ({ ofInstallsOnly }) => request.isInstall || !ofInstallsOnly,
  );
  const findings = await Promise.all(sources.map((each) => inspectSource(each, request)));
  return findings.flatMap((found, index) => {
    const target = sources[index]?.name;
    if (!found?.summary || target === undefined) return [];
    return [{ code: diagnosticsCode, target, message: shortened(redactText(found.summary), maxSummary) }];
  });
}

/** Inspects one source and logs its finding. If the source cannot be read, logs the error instead. */
async function inspectSource(
  { name, limitMs, inspect }: DiagnosticSource,
  { contextOf, signal, logger }: DiagnosticsRequest,
): Promise<Finding | undefined> {
  try {
    const found = await inspect(contextOf(withTimeout(signal, limitMs)));
    for (const fact of found?.facts ?? []) logger.warn({ diagnostics: name, ...tidy(fact) }, "diagnostics");
    return found;
  } catch (error) {
    const message = shortened(redactText(messageOf(error)), maxSummary);
    logger.warn({ diagnostics: name, error: message }, "diagnostics cannot be had");
    return name === "apiServer"
      ? { facts: [], summary: `The API server cannot be asked: ${message}` }
      : undefined;
  }
}

const maxSummary = 1_000;
const maxText = 4_096;
const maxItems = 2_000;

/** Redacts and shortens strings at every depth. */
function tidy(fact: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fact).map(([name, value]) => [name, tidyValue(value)]));
}

function tidyValue(value: unknown): unknown {
  if (typeof value === "string") return shortened(redactText(value), maxText);
  // Joins the lines before they are redacted, because a private key spans several lines.
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return redactText(value.slice(-maxItems).join("\n"))
      .split("\n")
      .map((each) => shortened(each, maxText));
  if (Array.isArray(value)) return value.slice(0, maxItems).map(tidyValue);
  if (typeof value === "object" && value !== null) return tidy(value as Record<string, unknown>);
  return value;
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
