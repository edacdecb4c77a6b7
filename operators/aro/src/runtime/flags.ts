import type { OperatorFlag } from "@keelson/aro-api";

export const switchedOn = { values: "switch", default: "true" } as const;
export const switchedOff = { values: "switch", default: "false" } as const;
export const text = { values: "text" } as const;
export const wholeNumber = { values: "whole number" } as const;
/** Flag that accepts true, false or any other value. With any other value, the controller changes nothing. */
export const triState = { values: "tri-state" } as const;

type Flags = Readonly<Record<string, OperatorFlag>>;

/** Flag that enables all checks. */
export const checkerFlag: Flags = { "aro.checker.enabled": switchedOn };

/** Flags of the operator itself, in addition to the flags of its controllers. */
export const operatorWideFlags: Flags = {
  "aro.environment": text,
  "aro.forcereconciliation": switchedOff,
};
