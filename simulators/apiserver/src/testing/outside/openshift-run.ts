import { resolve } from "node:path";
import type { ControlPlane } from "../control-plane.ts";
import { ApiCaller } from "./api-caller.ts";
import { runSuite } from "./openshift-cases.ts";
import { loadSuites } from "./openshift-suite.ts";

export interface OpenshiftCounts {
  readonly passed: number;
  readonly failed: number;
  /** Number of files that cannot be parsed. */
  readonly unreadable: number;
}

/** Runs the openshift/api cases that contain `only` in their file, manifest or name. Calls `report` with each failure. */
export async function runOpenshiftCases(
  plane: ControlPlane,
  checkout: string,
  only: string,
  report: (line: string) => void,
): Promise<OpenshiftCounts> {
  await using api = new ApiCaller(plane);
  const { suites, unreadable } = loadSuites(resolve(checkout));
  for (const { file, problem } of unreadable) report(`UNREADABLE ${file}: ${problem}`);
  let passed = 0;
  let failed = 0;
  for (const suite of suites) {
    for (const manifest of suite.definitions) {
      if (!`${suite.file} ${manifest.name}`.includes(only)) continue;
      for (const { name, failure } of await runSuite(api, suite, manifest)) {
        if (failure === undefined) passed++;
        else {
          failed++;
          report(`FAIL ${name}\n     ${failure}`);
        }
      }
    }
  }
  return { passed, failed, unreadable: unreadable.length };
}
