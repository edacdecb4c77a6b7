import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { clusterProcessesOption } from "./cluster-processes-option.ts";

async function parse(...args: readonly string[]) {
  let printed = "";
  const command = new Command("up")
    .addOption(clusterProcessesOption())
    .exitOverride()
    .configureOutput({ writeErr: (text) => (printed += text) })
    .action(() => undefined);
  await command.parseAsync(args, { from: "user" }).catch(() => undefined);
  return { printed, value: command.opts().clusterProcesses };
}

for (const text of ["0", "33", "-1", "1.5", "two", "", " 2", "1e1"])
  test(`--cluster-processes ${JSON.stringify(text)} is refused with the allowed form and an example`, async () => {
    const { printed } = await parse(`--cluster-processes=${text}`);
    assert.match(printed, /expected 1 to 32, for example 2\./);
  });

test("--cluster-processes accepts 1 to 32 and has no default", async () => {
  assert.deepEqual(await parse("--cluster-processes", "1"), { printed: "", value: 1 });
  assert.deepEqual(await parse("--cluster-processes", "32"), { printed: "", value: 32 });
  assert.deepEqual(await parse(), { printed: "", value: undefined });
});
