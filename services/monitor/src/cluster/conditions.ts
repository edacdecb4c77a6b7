import { listAt, stringAt } from "@keelson/base";

export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

/** Expected status for each condition type. A condition with a type that is not listed is always reported. */
export type ExpectedConditions = Readonly<Record<string, string>>;

/** Returns the conditions of an object that have an unexpected status. */
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
