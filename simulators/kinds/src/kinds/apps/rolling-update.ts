import type { Fields } from "../../catalogue/type-facts.ts";

/** Adds empty settings to a rolling update, which then receive defaults. */
export function rolling(strategy: Fields): Fields {
  return strategy.type === "RollingUpdate" && strategy.rollingUpdate === undefined
    ? { ...strategy, rollingUpdate: {} }
    : strategy;
}

/** True if a count or percentage of replicas is zero. */
export function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}
