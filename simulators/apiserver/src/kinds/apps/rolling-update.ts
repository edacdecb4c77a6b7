import type { Fields } from "../../catalogue/type-facts.ts";

export function rolling(strategy: Fields): Fields {
  return strategy.type === "RollingUpdate" && strategy.rollingUpdate === undefined
    ? { ...strategy, rollingUpdate: {} }
    : strategy;
}

export function isZero(value: unknown): boolean {
  return value === 0 || value === "0%";
}
