import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { maxUnavailableOf } from "../machine-config-pools/plan.ts";
import { needsReboot, renderConfigs } from "./render.ts";

const config = (
  name: string,
  spec: Readonly<Record<string, unknown>>,
  ignition: object = {},
): KubeObject => ({
  apiVersion: "machineconfiguration.openshift.io/v1",
  kind: "MachineConfig",
  metadata: { name },
  spec: { ...spec, config: { ignition: { version: "3.2.0" }, ...ignition } },
});

const file = (path: string, text: string) => ({ path, contents: { source: `data:,${text}` } });
const files = (...list: readonly object[]) => ({ storage: { files: list } });

function rendered(...configs: readonly KubeObject[]) {
  const outcome = renderConfigs("worker", configs);
  assert.equal(outcome.kind, "rendered");
  if (outcome.kind !== "rendered") throw new Error("unreachable");
  return outcome;
}

test("the file of the later name wins for one path, in any order of the configs", () => {
  const [early, late] = [
    config("50-a", {}, files(file("/etc/x", "1"))),
    config("99-b", {}, files(file("/etc/x", "2"))),
  ];
  const { spec, name } = rendered(late, early);
  const list = listAt(spec, "config", "storage", "files");
  assert.deepEqual(
    list.map((each) => stringAt(each, "contents", "source")),
    ["data:,2"],
  );
  assert.equal(rendered(early, late).name, name);
});

test("arguments add up, extensions are a set, the last operating system wins", () => {
  const { spec } = rendered(
    config("10", { kernelArguments: ["a"], extensions: ["usbguard"], osImageURL: "one" }),
    config("20", {
      kernelArguments: ["b", "a"],
      extensions: ["usbguard", "ipsec"],
      osImageURL: "two",
      fips: true,
    }),
    config("30", { osImageURL: "", kernelType: "realtime" }),
  );
  assert.deepEqual(valueAt(spec, "kernelArguments"), ["a", "b", "a"]);
  assert.deepEqual(valueAt(spec, "extensions"), ["ipsec", "usbguard"]);
  assert.deepEqual(
    [valueAt(spec, "osImageURL"), valueAt(spec, "fips"), valueAt(spec, "kernelType")],
    ["two", true, "realtime"],
  );
});

test("units merge by name, and their drop-ins by theirs", () => {
  const unit = (extra: object) => ({ systemd: { units: [{ name: "a.service", ...extra }] } });
  const { spec } = rendered(
    config(
      "10",
      {},
      unit({
        enabled: true,
        dropins: [
          { name: "x", contents: "1" },
          { name: "y", contents: "1" },
        ],
      }),
    ),
    config("20", {}, unit({ enabled: false, dropins: [{ name: "x", contents: "2" }] })),
  );
  assert.deepEqual(listAt(spec, "config", "systemd", "units"), [
    {
      name: "a.service",
      enabled: false,
      dropins: [
        { name: "x", contents: "2" },
        { name: "y", contents: "1" },
      ],
    },
  ]);
});

for (const [name, spec, says] of [
  ["an unknown Ignition", { ignition: { version: "4.0.0" } }, /unknown version/],
  ["a file without a path", files({ contents: {} }), /path not absolute/],
  ["a relative path", files(file("etc/x", "")), /path not absolute/],
  [
    "contents that are no URL",
    files({ path: "/x", contents: { source: "plain text" } }),
    /unable to parse url/,
  ],
  ["a unit without a name", { systemd: { units: [{}] } }, /invalid systemd unit/],
] as const)
  test(`${name} prevents the rendering of a pool`, () => {
    const outcome = renderConfigs("worker", [config("99-bad", {}, spec)]);
    assert.equal(outcome.kind, "invalid");
    assert.match(outcome.kind === "invalid" ? outcome.message : "", says);
  });

test("only credentials change without a reboot", () => {
  const base = config("r1", {}, files(file("/etc/x", "1"), file("/var/lib/kubelet/config.json", "1")));
  const quiet = config("r2", {}, files(file("/etc/x", "1"), file("/var/lib/kubelet/config.json", "2")));
  assert.equal(needsReboot(base, quiet), false);
  assert.equal(needsReboot(base, config("r3", {}, files(file("/etc/x", "2")))), true);
});

for (const [value, nodes, expected] of [
  [undefined, 5, 1],
  [2, 5, 2],
  ["50%", 5, 2],
  ["10%", 5, 1],
  [0, 5, 1],
  ["all", 5, 1],
] as const)
  test(`maxUnavailable ${value} of ${nodes} nodes is ${expected}`, () =>
    assert.equal(maxUnavailableOf(value, nodes), expected));
