import assert from "node:assert/strict";
import type { Answer } from "./arm-caller.ts";

export interface Refusal {
  readonly status?: number;
  readonly code: string;
  readonly message?: string | RegExp;
  readonly target?: string;
}

/** Asserts an ARM error response. Default status: 400. */
export function assertRefused(answer: Answer, { status = 400, code, message, target }: Refusal): void {
  const error = answer.body?.error;
  assert.deepEqual([answer.status, error?.code], [status, code], answer.text);
  if (typeof message === "string") assert.equal(error.message, message);
  else if (message) assert.match(error.message, message);
  if (target !== undefined) assert.equal(error.target, target);
  assert.equal(answer.headers["azure-asyncoperation"], undefined, "an error names no operation");
}

export function assertStatus(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
}
