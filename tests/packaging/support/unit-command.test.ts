import assert from "node:assert/strict";
import { test } from "node:test";
import { rpParts } from "../../../services/deploy/src/host/parts.ts";
import { unitFiles } from "../../../services/deploy/src/host/units.ts";
import { parseUnitCommand } from "./unit-command.ts";

const commands = unitFiles("registry.example/keelson:v1", rpParts("info", true), true).flatMap(
  ({ name, content }) => {
    const [, command] = /^ExecStart=(\S+podman run .*)$/m.exec(content) ?? [];
    return command === undefined ? [] : [{ name, command }];
  },
);
const rp = commands.find(({ name }) => name === "keelson-rp.service")?.command ?? "";

test("every unit's command has only known options, and restricts its container", () => {
  assert.ok(commands.length > 4);
  for (const { name, command } of commands) {
    const { user, capabilities, tmpfs } = parseUnitCommand(command);
    assert.ok(user > 65_000, name);
    assert.deepEqual(capabilities, ["NET_BIND_SERVICE"], name);
    assert.deepEqual(tmpfs, ["/tmp"], name);
  }
});

test("volumes and arguments of the resource provider are parsed", () => {
  const { volumes, args } = parseUnitCommand(rp);
  assert.deepEqual(volumes[0], { source: "/run/keelson/rp", path: "/run/keelson/rp", readOnly: true });
  assert.deepEqual(args.slice(0, 2), ["rp", "--config"]);
});

test("an unknown option and a missing restriction are errors", () => {
  assert.throws(
    () => parseUnitCommand(rp.replace("--read-only", "--read-only --pids-limit 5")),
    /unknown options --pids-limit/,
  );
  for (const option of [
    " --read-only",
    " --cap-drop all",
    " --security-opt no-new-privileges",
    " --network host",
  ])
    assert.throws(() => parseUnitCommand(rp.replace(option, "")), new RegExp(`has no option${option}`));
  assert.throws(() => parseUnitCommand(rp.replace(/ --user \S+/, "")), /has no option --user UID:GID/);
});
