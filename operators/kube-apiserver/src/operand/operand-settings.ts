import { stringAt, valueAt } from "@keelson/base";
import { mergeConfigs, type SparseConfig } from "@keelson/operator-kit";

/**
 * Settings in the operator's configuration that determine the API server's pod rather than its configuration
 * file.
 */
export interface OperandSettings {
  /** Grace period between the signal and the forced termination. */
  readonly gracefulTerminationSeconds: number;
  /** Heap growth that triggers a garbage collection, in percent: `GOGC`. */
  readonly garbageCollectionPercent: number;
  readonly checkEndpointsAddress: string;
  readonly verbosity: number;
  /** Environment variables of all containers, sorted by name. */
  readonly proxy: readonly (readonly [name: string, value: string])[];
}

/** 70 s until load balancers remove the server, 60 s for requests in flight, 5 s reserve. */
const defaultTerminationSeconds = 135;
const verbosities: Readonly<Record<string, number>> = { Normal: 2, Debug: 4, Trace: 6, TraceAll: 10 };

export interface OperatorSpec {
  readonly logLevel?: unknown;
  readonly observedConfig?: SparseConfig | null;
  readonly unsupportedConfigOverrides?: SparseConfig | null;
}

/** @throws Error for an observed or overriding value that cannot be used, with its path */
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

/** Parses a field that contains an integer as a string. */
function wholeNumber(config: SparseConfig, member: string): number | undefined {
  const value = config[member];
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string" || !/^-?\d{1,9}$/.test(value))
    throw new Error(`${member} must be a string of digits such as "100"`);
  return Number(value);
}
