import assert from "node:assert/strict";
import type { Response } from "./arm-caller.ts";

export interface Refusal {
  readonly status?: number;
  readonly code: string;
  readonly message?: string | RegExp;
  readonly target?: string;
}

/** Asserts an ARM error response. Default status: 400. */
export function assertRefused(response: Response, { status = 400, code, message, target }: Refusal): void {
  const error = response.body?.error;
  assert.deepEqual([response.status, error?.code], [status, code], response.text);
  if (typeof message === "string") assert.equal(error.message, message);
  else if (message) assert.match(error.message, message);
  if (target !== undefined) assert.equal(error.target, target);
  assert.equal(response.headers["azure-asyncoperation"], undefined, "an error names no operation");
}

export function assertStatus(response: Response, status: number): void {
  assert.equal(response.status, status, response.text);
}
