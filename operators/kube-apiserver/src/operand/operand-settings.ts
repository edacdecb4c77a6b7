import { stringAt, valueAt } from "@keelson/base";
import { mergeConfigs, type SparseConfig } from "@keelson/operator-kit";

/**
 * Settings for the API server's pod. They come from the operator's configuration. The API server's configuration file does not
 * contain them.
 */
export interface OperandSettings {
  /** Time in seconds between the termination signal and the forced termination. */
  readonly gracefulTerminationSeconds: number;
  /** Heap growth in percent that triggers a garbage collection (`GOGC`). */
  readonly garbageCollectionPercent: number;
  readonly checkEndpointsAddress: string;
  readonly verbosity: number;
  /** Environment variables of all containers, sorted by name. */
  readonly proxy: readonly (readonly [name: string, value: string])[];
}

/** Default grace period in seconds: 70 s until load balancers remove the server, 60 s for in-flight requests, and 5 s reserve. */
const defaultTerminationSeconds = 135;
const verbosities: Readonly<Record<string, number>> = { Normal: 2, Debug: 4, Trace: 6, TraceAll: 10 };

export interface OperatorSpec {
  readonly logLevel?: unknown;
  readonly observedConfig?: SparseConfig | null;
  readonly unsupportedConfigOverrides?: SparseConfig | null;
}

/**
 * Reads the settings from observed values and overrides.
 * @throws Error with the path of an invalid value
 */
export function operandSettings(spec: OperatorSpec): OperandSettings {
  const config = mergeConfigs([spec.observedConfig ?? {}, spec.unsupportedConfigOverrides ?? {}]);
  const proxy = valueAt(config, "targetconfigcontroller", "proxy") ?? {};
  const variables = Object.entries(proxy).map(([name, value]): readonly [string, string] => {
    if (typeof value !== "string") throw new Error(`targetconfigcontroller.proxy.${name} must be a string`);
    return [name, value];
  });
  return {
    gracefulTerminationSeconds:
      wholeNumber(config, "gracefulTerminationDuration") ?? defaultTerminationSeconds,
    garbageCollectionPercent: Math.min(
      100,
      Math.max(63, wholeNumber(config, "garbageCollectionTargetPercentage") ?? 100),
    ),
    checkEndpointsAddress: stringAt(config, "servingInfo", "bindNetwork") === "tcp6" ? "[::]" : "0.0.0.0",
    verbosity: verbosities[String(spec.logLevel)] ?? 2,
    proxy: variables.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** Parses an integer that the configuration stores as a string. */
function wholeNumber(config: SparseConfig, member: string): number | undefined {
  const value = config[member];
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string" || !/^-?\d{1,9}$/.test(value))
    throw new Error(`${member} must be a string of digits such as "100"`);
  return Number(value);
}
