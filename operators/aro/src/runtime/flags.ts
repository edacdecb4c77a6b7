import type { OperatorFlag } from "@keelson/aro-api";

export const switchedOn = { values: "switch", default: "true" } as const;
export const switchedOff = { values: "switch", default: "false" } as const;
export const text = { values: "text" } as const;
export const wholeNumber = { values: "whole number" } as const;
/** Flag with a third value, which changes nothing. */
export const triState = { values: "tri-state" } as const;

type Flags = Readonly<Record<string, OperatorFlag>>;

/** Switch of all checks. */
export const checkerFlag: Flags = { "aro.checker.enabled": switchedOn };

/** Flags of the operator in addition to those of its controllers. */
export const operatorWideFlags: Flags = {
  "aro.environment": text,
  "aro.forcereconciliation": switchedOff,
};
