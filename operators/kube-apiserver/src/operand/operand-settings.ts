import { stringAt, valueAt } from "@keelson/base";
import { mergeConfigs, type SparseConfig } from "@keelson/operator-kit";

/** What the pod of an API server takes from the operator's configuration, besides the configuration file. */
export interface OperandSettings {
  /** From the signal to end until the process must have ended. */
  readonly gracefulTerminationSeconds: number;
  /** How much the heap may grow before it is collected, in percent: `GOGC`. */
  readonly garbageCollectionPercent: number;
  readonly checkEndpointsAddress: string;
  readonly verbosity: number;
  /** Environment of all containers, sorted by name. */
  readonly proxy: readonly (readonly [name: string, value: string])[];
}

/** 70 s until load balancers have noticed, 60 s for requests that are being answered, 5 s more. */
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
    if (typeof value !== "string") throw new Error(`targetconfigcontroller.proxy.${name} must be a text`);
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

/** Whole numbers are texts in these members. */
function wholeNumber(config: SparseConfig, member: string): number | undefined {
  const value = config[member];
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string" || !/^-?\d{1,9}$/.test(value))
    throw new Error(`${member} must be a text of digits such as "100"`);
  return Number(value);
}
