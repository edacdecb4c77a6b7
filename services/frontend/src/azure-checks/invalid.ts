import type { Violation } from "@keelson/model";

export function invalid(target: string, message: string): Violation {
  return { code: "InvalidParameter", target, message };
}
