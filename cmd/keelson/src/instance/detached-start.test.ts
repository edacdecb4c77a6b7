import assert from "node:assert/strict";
import { test } from "node:test";
import { portNames } from "../state/ports.ts";
import { argumentsOf } from "./detached-start.ts";

const flags = {
  state: "/state",
  cluster: "one",
  subnetsFor: ["two"],
  operators: "none",
  unknownPrograms: "fail",
  runImage: [],
  runImageFor: [],
  without: [],
  logLevel: "warn",
} as const;

test("the process in the background gets every port that was asked for", () => {
  const asked = Object.fromEntries(portNames.map((name, index) => [`${name}Port`, 20_000 + index]));
  const line = argumentsOf({ ...flags, ...asked, ports: "auto" }).join(" ");
  for (const [index, name] of portNames.entries()) {
    assert.ok(line.includes(`--${name}-port ${20_000 + index}`), `${name} in ${line}`);
  }
  assert.match(line, /--ports auto/);
});

test("the process in the background makes subnets for the cluster that this one creates", () => {
  const line = argumentsOf(flags).join(" ");
  assert.match(
    line,
    /^up --state \/state --no-cluster --subnets-for one --subnets-for two --operators none --unknown-programs fail --log-level warn$/,
  );
});

test("the process in the background maps the same images to programs", () => {
  const line = argumentsOf({
    ...flags,
    runImage: [{ prefix: "tool", command: "/bin/tool" }],
    runImageFor: [{ namespace: "*", kind: "Job", name: "a" }],
  }).join(" ");
  assert.match(line, / --run-image tool=\/bin\/tool --run-image-for \*\/Job\/a /);
});

test("the process in the background starts the same number of cluster processes", () => {
  assert.match(argumentsOf({ ...flags, clusterProcesses: 2 }).join(" "), / --cluster-processes 2 /);
});

test("the process in the background installs clusters by the same installer", () => {
  assert.match(argumentsOf({ ...flags, aroInstaller: "/bin/aro" }).join(" "), / --aro-installer \/bin\/aro /);
  assert.match(argumentsOf({ ...flags, hive: "/crds" }).join(" "), / --hive \/crds /);
});

test("the process in the background leaves out what this one was to leave out", () => {
  const line = argumentsOf({ ...flags, without: ["monitor", "portal"] }).join(" ");
  assert.match(line, / --without monitor --without portal /);
});

test("the background process reads the same file with rules for administrators' actions", () => {
  const line = argumentsOf({ ...flags, governance: "/rules.json" }).join(" ");
  assert.match(line, / --governance \/rules\.json /);
});

test("the process in the background gives clusters their addresses", () => {
  assert.match(argumentsOf({ ...flags, clusterAddresses: true }).join(" "), / --cluster-addresses /);
  assert.match(argumentsOf({ ...flags, publish: true }).join(" "), / --publish /);
});
