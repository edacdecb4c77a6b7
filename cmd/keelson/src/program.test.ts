import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, CommanderError } from "commander";
import { commands, fullProgram } from "./program.ts";

test("a command has the name that it is asked for by", async () => {
  for (const [name, load] of Object.entries(commands))
    assert.equal((await load())(new Command()).name(), name);
});

/** Runs a command line that only prints help or an error. */
async function run(...args: readonly string[]) {
  let [stdout, stderr] = ["", ""];
  const program = await fullProgram();
  const capture = (command: Command): void => {
    command.configureOutput({
      writeOut: (text) => {
        stdout += text;
      },
      writeErr: (text) => {
        stderr += text;
      },
    });
    command.commands.forEach(capture);
  };
  capture(program);
  const error = await program.parseAsync(["node", "keelson", ...args]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CommanderError, `${error}`);
  return { exitCode: error.exitCode, stdout, stderr };
}

const usage = [
  { args: ["up", "--nonsense"], says: /unknown option '--nonsense'/ },
  { args: ["nonsense"], says: /unknown command 'nonsense'/ },
  { args: ["up", "--rp-port", "99999"], says: /expected a port/ },
  { args: ["up", "--ports", "some"], says: /Allowed choices are auto/ },
  { args: ["up", "--cluster", "Has Space"], says: /lower-case letters/ },
  {
    args: ["up", "--governance", "/nosuch.json"],
    says: /--governance: .*\/nosuch\.json.* Example of a file: /,
  },
  { args: ["kubeconfig"], says: /missing required argument 'name'/ },
  { args: ["sim", "moon"], says: /unknown part "moon"/ },
  { args: ["genkey", "--days", "some", "other"], says: /--days/ },
  { args: ["genkey", "--key-file", "authority.pem", "other"], says: /--key-file and --cert-file/ },
  { args: ["genkey", "--ca", "--client", "other"], says: /--ca or --client/ },
];
for (const { args, says } of usage) {
  test(`wrong usage fails with a message that names the cause and --help: keelson ${args.join(" ")}`, async () => {
    const { exitCode, stderr } = await run(...args);
    assert.notEqual(exitCode, 0);
    assert.match(stderr, says);
    assert.match(stderr, /--help/);
  });
}

for (const mode of ["up", "down", "rp", "sim", "kubeconfig", "az-env", "genkey", "version"]) {
  test(`keelson ${mode} --help prints the usage of the command`, async () => {
    const { exitCode, stdout } = await run(mode, "--help");
    assert.equal(exitCode, 0);
    assert.match(stdout, new RegExp(`Usage: keelson ${mode}`));
  });
}
