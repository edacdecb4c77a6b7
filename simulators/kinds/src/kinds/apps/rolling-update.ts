import type { Fields } from "../../catalogue/type-facts.ts";

/** Adds an empty `rollingUpdate`, so that its fields receive their defaults. */
export function rolling(strategy: Fields): Fields {
  return strategy.type === "RollingUpdate" && strategy.rollingUpdate === undefined
    ? { ...strategy, rollingUpdate: {} }
    : strategy;
}

/** True if a number or percentage of replicas is zero. */
export function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}
