import assert from "node:assert/strict";
import { test } from "node:test";
import { admitCommand } from "./admit-command.ts";
import { containerPrograms } from "./container-flags.ts";

const programs = Object.keys(containerPrograms);
const original = "cluster-kube-apiserver-operator";

const admitted: readonly (readonly [string | undefined, string[], string[]])[] = [
  ["keelson", ["operator", "master"], ["operator", "master"]],
  [undefined, ["operator", "worker"], ["operator", "worker"]],
  [
    "/usr/bin/keelson",
    ["operator", "worker", "--log-level", "debug"],
    ["operator", "worker", "--log-level=debug"],
  ],
  ["cluster-samples-operator", ["--config=/a/b.yaml"], ["samples-operator", "--config=/a/b.yaml"]],
  [
    `/usr/bin/${original}`,
    ["operator", "--config=/a", "--listen=0.0.0.0:8080", "--terminate-on-files=/b"],
    [
      "kube-apiserver-operator",
      "operator",
      "--config=/a",
      "--listen=0.0.0.0:8080",
      "--terminate-on-files=/b",
    ],
  ],
  [
    original,
    [
      "installer",
      "-v=2",
      "--revision=3",
      "--configmaps=a,b",
      "--timeout-duration=1m30s",
      "--resource-dir=/x/..",
    ],
    [
      ...["kube-apiserver-operator", "installer", "-v=2", "--revision=3", "--configmaps=a,b"],
      ...["--timeout-duration=1m30s", "--resource-dir=/x/.."],
    ],
  ],
  [
    original,
    ["prune", "--protected-revisions="],
    ["kube-apiserver-operator", "prune", "--protected-revisions="],
  ],
  [
    original,
    ["kms-preflight", "--config-hash=cuZm_g==", "--kms-sockets=unix:///var/run/kmsplugin/kms-1.sock"],
    [
      ...["kube-apiserver-operator", "kms-preflight", "--config-hash=cuZm_g=="],
      "--kms-sockets=unix:///var/run/kmsplugin/kms-1.sock",
    ],
  ],
];

for (const [program, args, expected] of admitted)
  test(`a listed container runs ${[program, ...args].join(" ")}`, () => {
    const found = admitCommand({ programs, program, args });
    assert.deepEqual("args" in found ? found.args : found, expected);
  });

const refused: readonly (readonly [string | undefined, string[], RegExp])[] = [
  ["python3", ["operator", "master"], /"python3" is not a program of this image$/],
  ["node", ["-e", "1"], /"node" is not a program of this image$/],
  ["keelson", [], /"" is not a program that containers run$/],
  ["keelson", ["up"], /"up" is not a program that containers run$/],
  ["keelson", ["toString"], /"toString" is not a program that containers run$/],
  ["keelson", ["operator", "boss"], /"operator boss" is not a program that containers run$/],
  [original, ["render", "--asset-output-dir=/x"], /"kube-apiserver-operator render" is not a program/],
  [original, ["timeline", "--svg=/x"], /"kube-apiserver-operator timeline" is not a program/],
  [
    undefined,
    ["--import=data:text/javascript,1", "operator", "master"],
    /is not a program that containers run$/,
  ],
  // Rejected flags: those that only the host sets, and those that read or write files of the host.
  ["keelson", ["operator", "master", "--server=https://x"], /"--server=https:\/\/x" is not a flag/],
  ["keelson", ["operator", "master", "--service-account", "/x"], /"--service-account" is not a flag/],
  ["keelson", ["operator", "master", "--kubeconfig=/etc/x"], /"--kubeconfig=\/etc\/x" is not a flag/],
  ["cluster-samples-operator", ["--content=/etc"], /"--content=\/etc" is not a flag/],
  ["keelson", ["operator", "master", "--host=0.0.0.0"], /is not a flag/],
  ["keelson", ["operator", "master", "--", "x"], /"--" is not a flag/],
  ["keelson", ["operator", "master", "worker"], /"worker" is not a flag/],
  ["keelson", ["operator", "master", "--__proto__=x"], /is not a flag/],
  ["keelson", ["operator", "master", "--constructor=x"], /is not a flag/],
  // Values.
  ["keelson", ["operator", "master", "--log-level=loud"], /"loud" is not a value of --log-level \(level\)/],
  ["keelson", ["operator", "master", "--log-level"], /"--log-level" has no value/],
  [
    "keelson",
    ["operator", "master", "--namespace", "--server=x"],
    /"--server=x" is not a value of --namespace/,
  ],
  [original, ["operator", "--config=relative"], /"relative" is not a value of --config \(path\)/],
  [original, ["installer", "--pod=../../x"], /is not a value of --pod \(name\)/],
  [original, ["installer", "--secrets=a,../b"], /is not a value of --secrets \(names\)/],
  [original, ["prune", "--static-pod-name=a/../b"], /is not a value of --static-pod-name \(name\)/],
  [original, ["kms-preflight", "--kms-sockets=tcp://x"], /is not a value of --kms-sockets \(sockets\)/],
];

for (const [program, args, reason] of refused)
  test(`a listed container does not run ${[program, ...args].join(" ")}`, () => {
    const found = admitCommand({ programs, program, args });
    assert.match("refused" in found ? found.refused : "admitted", reason);
  });

test("an owner runs its own programs only", () => {
  const found = admitCommand({ programs: ["operator master"], program: original, args: ["prune"] });
  assert.deepEqual(found, {
    refused:
      'keelson: not started as a process of the host: the owner of this pod may run "operator master", not "kube-apiserver-operator prune"',
  });
});
