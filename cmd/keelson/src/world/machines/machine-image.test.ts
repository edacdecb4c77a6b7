import assert from "node:assert/strict";
import { test } from "node:test";
import { readMachineImage } from "./machine-image.ts";

const image = "keelsonimages.azurecr.io/keelson:v1";
const unit = (...lines: readonly string[]) => `[Unit]\nDescription=x\n\n[Service]\n${lines.join("\n")}\n`;
const encoded = (files: object) =>
  Buffer.from(`#cloud-config\n${JSON.stringify({ write_files: files })}`).toString("base64");

test("units that run the image are taken with their arguments and times; other files as they are", () => {
  const service = "/etc/systemd/system";
  const files = [
    { path: `${service}/keelson.target`, content: unit("Wants=keelson-rp.service") },
    {
      path: `${service}/keelson-host.service`,
      content: unit(
        "Type=oneshot",
        "RestartSec=10",
        `ExecStart=/usr/bin/podman run --rm ${image} host-config --settings /etc/keelson/host.json`,
      ),
    },
    {
      path: `${service}/keelson-rp.service`,
      content: unit(
        `ExecStart=/usr/bin/podman run --name keelson-rp ${image} rp --log-level info`,
        "ExecStop=/usr/bin/podman stop --ignore --time 200 keelson-rp",
        "RestartSec=5",
      ),
    },
    { path: `${service}/other.service`, content: unit("ExecStart=/usr/bin/other") },
    { path: "/etc/keelson/host.json", content: "{}" },
  ];
  const machine = readMachineImage(encoded(files), image);
  assert.deepEqual(machine.units, [
    {
      name: "keelson-host.service",
      args: ["host-config", "--settings", "/etc/keelson/host.json"],
      isOneShot: true,
      restartMs: 10_000,
      stopMs: 90_000,
    },
    {
      name: "keelson-rp.service",
      args: ["rp", "--log-level", "info"],
      isOneShot: false,
      restartMs: 5_000,
      stopMs: 200_000,
    },
  ]);
  assert.deepEqual(
    machine.files.map(({ path }) => path),
    files.map(({ path }) => path),
  );
});

test("custom data that is no configuration runs nothing", () => {
  for (const customData of ["", "c2VjcmV0", Buffer.from("- 1").toString("base64"), encoded([{ path: 1 }])])
    assert.deepEqual(readMachineImage(customData, image), { files: [], units: [] });
});
