/** Entry point of `make conformance-kube`. Runs external test suites from local checkouts against this API server. */
import process from "node:process";
import { parseArgs } from "node:util";
import { envtestAssets } from "../../envtest-assets.ts";
import { startControlPlane } from "../control-plane.ts";
import { startEmbeddedProcess } from "../embedded-process.ts";
import { runGoPackage } from "./go-suite.ts";
import { runOpenshiftCases } from "./openshift-run.ts";

const help = `Runs external test suites against this API server and reports the failures.

usage: make conformance-kube [OPENSHIFT_API=DIR] [GO_PACKAGES="DIR..."]
       node simulators/apiserver/src/testing/outside/main.ts OPTIONS

  --openshift-api DIR  checkout of openshift/api; runs its CRD test cases (*/tests/*/*.yaml)
  --only STRING        run only the test files and manifests with STRING in their names
  --assets DIR         directory with etcd and kube-apiserver; tests this kube-apiserver instead
  --go-package DIR     Go package with tests that use envtest of controller-runtime; repeatable. Runs the compiled
                       test program NAME.test in DIR if it exists, otherwise go test
  --help               print this help

Exit code: 1 if a test failed, 2 if there was nothing to run.
`;

const { values } = parseArgs({
  options: {
    "openshift-api": { type: "string" },
    only: { type: "string", default: "" },
    assets: { type: "string" },
    "go-package": { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
const { "openshift-api": openshift, "go-package": packages, assets, only } = values;
const print = (line: string) => process.stdout.write(`${line}\n`);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

if (values.help) process.stdout.write(help);
else if (openshift === undefined && packages.length === 0) {
  process.stderr.write(help);
  process.exitCode = 2;
}
if (openshift !== undefined) {
  await using plane = await (assets === undefined ? startEmbeddedProcess() : startControlPlane(assets));
  const { passed, failed, unreadable } = await runOpenshiftCases(plane, openshift, only, print);
  print(`${openshift}: ${passed} passed, ${failed} failed, ${unreadable} files unreadable`);
  if (failed > 0) process.exitCode = 1;
}
for (const directory of packages) {
  using ours = envtestAssets();
  const outcome = await runGoPackage(directory, ours.directory, print, stop.signal);
  for (const name of outcome.failures) print(`FAIL ${name}`);
  print(`${directory}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`);
  if (outcome.failed > 0) process.exitCode = 1;
}
