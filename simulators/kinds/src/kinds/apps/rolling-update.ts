import type { Fields } from "../../catalogue/type-facts.ts";

/** A rolling update has its settings, if empty: they get their own defaults. */
export function rolling(strategy: Fields): Fields {
  return strategy.type === "RollingUpdate" && strategy.rollingUpdate === undefined
    ? { ...strategy, rollingUpdate: {} }
    : strategy;
}

/** Whether a count or a share of replicas is none. */
export function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}
