import { listAt, stringAt } from "@keelson/base";

export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

/** Expected status by condition type. All other conditions are always reported. */
export type ExpectedConditions = Readonly<Record<string, string>>;

/** The conditions of an object that are not as expected. */
export function unexpectedConditions(
  object: unknown,
  expected: ExpectedConditions,
): readonly ReportedCondition[] {
  return listAt(object, "status", "conditions").flatMap((condition) => {
    const type = stringAt(condition, "type") ?? "";
    const status = stringAt(condition, "status") ?? "";
    if (type === "" || (Object.hasOwn(expected, type) && expected[type] === status)) return [];
    return [{ type, status, message: stringAt(condition, "message") ?? "" }];
  });
}
