import assert from "node:assert/strict";
import { test } from "node:test";
import { ContainerConfigError } from "./container-environment.ts";
import { expandSubPath } from "./sub-path-expression.ts";

const env = { POD: "p-1", DIR: "a/b", EMPTY: "", ROOT: "/etc", UP: "../x" };

const paths: readonly (readonly [expression: string, path: string])[] = [
  ["logs", "logs"],
  ["$(POD)/logs", "p-1/logs"],
  ["$(DIR)-$(POD)", "a/b-p-1"],
  ["$$(POD)", "$(POD)"],
];
for (const [expression, path] of paths)
  test(`the subPathExpr ${expression} is ${path}`, () => assert.equal(expandSubPath(expression, env), path));

const refusals: readonly (readonly [expression: string, message: string])[] = [
  ["$(B)$(A)", "missing value for A, B"],
  ["$(EMPTY)", "missing value for EMPTY"],
  ["$(toString)", "missing value for toString"],
  ["$(ROOT)", "error SubPath `/etc` must not be an absolute path"],
  ["a/$(UP)", "unable to provision SubPath `a/../x`: must not contain '..'"],
];
for (const [expression, message] of refusals)
  test(`the subPathExpr ${expression} is rejected: ${message}`, () =>
    assert.throws(() => expandSubPath(expression, env), new ContainerConfigError(message)));
