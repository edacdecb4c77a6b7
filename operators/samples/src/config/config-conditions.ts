import { listAt, stringAt } from "@keelson/base";
import { type Condition, type ConditionStatus, timestamp } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import { findCondition } from "@keelson/kube";

export type ConfigConditionType =
  | "SamplesExist"
  | "ImageChangesInProgress"
  | "ImportCredentialsExist"
  | "ConfigurationValid"
  | "RemovePending"
  | "MigrationInProgress"
  | "ImportImageErrorsExist";

export interface ConfigCondition {
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
}

/** All conditions of a Config, in the order of a new Config. */
export type ConfigConditions = Readonly<Record<ConfigConditionType, ConfigCondition>>;

const types: readonly ConfigConditionType[] = [
  "SamplesExist",
  "ImageChangesInProgress",
  "ImportCredentialsExist",
  "ConfigurationValid",
  "RemovePending",
  "MigrationInProgress",
  "ImportImageErrorsExist",
];

/** Returns the current conditions. A missing condition is False. */
export function conditionsOf(config: KubeObject): ConfigConditions {
  const present = listAt(config, "status", "conditions");
  const of = (type: string): ConfigCondition => {
    const found = present.find((each) => stringAt(each, "type") === type);
    const status = stringAt(found, "status");
    const [reason, message] = [stringAt(found, "reason"), stringAt(found, "message")];
    return {
      status: status === "True" || status === "Unknown" ? status : "False",
      ...(reason ? { reason } : {}),
      ...(message ? { message } : {}),
    };
  };
  return Object.fromEntries(types.map((type) => [type, of(type)])) as ConfigConditions;
}

/**
 * Returns the conditions to write to the status. `lastUpdateTime` changes only for a condition that differs from the current
 * status.
 */
export function writtenConditions(conditions: ConfigConditions, now: Date): readonly Condition[] {
  return types.map((type) => {
    const written = { type, ...conditions[type], lastUpdateTime: timestamp(now) };
    return written;
  });
}

/** Returns the time of a condition's last change. Returns `now` if the condition is about to change. */
export function lastUpdateTime(
  config: KubeObject,
  type: ConfigConditionType,
  status: string,
  now: Date,
): Date {
  const found = findCondition(config, type);
  const time = Date.parse(stringAt(found, "lastUpdateTime") ?? "");
  return stringAt(found, "status") === status && !Number.isNaN(time) ? new Date(time) : now;
}
