/** Runs the SSH command from the admin API for a master unchanged with OpenSSH. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Browser } from "@keelson/portal/testing";
import { Agent, fetch } from "undici";
import { readEndpoints } from "./support/endpoints.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const state = new StateDirectory();
let program: Program;
let askpass: string;

before(async () => {
  program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
  await program.says(/endpoints/);
  askpass = state.file("askpass.sh");
  writeFileSync(askpass, `#!/bin/sh\nprintf '%s\\n' "$PORTAL_PASSWORD"\n`, { mode: 0o700 });
});
after(async () => {
  await program[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

interface Access {
  readonly command: string;
  readonly password: string;
}

async function newAccess(master: number): Promise<Access> {
  const { rp, subscriptionId, caFile } = readEndpoints(state.file("endpoints.json"));
  const path = `/admin/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo/ssh/newelevated`;
  const dispatcher = new Agent({
    connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(caFile, "utf8") },
  });
  const response = await fetch(`${rp}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-ms-arm-resource-system-data": JSON.stringify({ lastModifiedBy: "ada@example.com" }),
    },
    body: JSON.stringify({ master }),
    dispatcher,
  });
  assert.equal(response.status, 200);
  const { command, password }: Record<string, unknown> = JSON.parse(await response.text());
  await dispatcher.close();
  assert.ok(typeof command === "string" && typeof password === "string");
  return { command, password };
}

/** Runs the command in a shell and enters the password. */
async function connect(
  { command, password }: Access,
  input: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = {
    ...process.env,
    SSH_ASKPASS: askpass,
    SSH_ASKPASS_REQUIRE: "force",
    PORTAL_PASSWORD: password,
  };
  const child = spawn("sh", ["-c", command], { cwd: state.path, env, timeout: 900_000 });
  child.stdin.end(input);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  return { code: await promise, output: Buffer.concat([...out, ...err]).toString() };
}

test("OpenSSH runs the command once: a shell on the master, the cluster's key in its agent, a connection to a second node", async () => {
  const access = await newAccess(1);
  // Redirects the input of `ssh`. Without the redirection, `ssh` would read the rest of the script as its input.
  const hop = "echo | ssh $(echo $HOSTNAME | cut -d- -f1-3)-2 'echo then $HOSTNAME'";
  const { code, output } = await connect(access, `ssh-add -l\necho on $HOSTNAME\n${hop}\nexit 4\n`);
  assert.equal(code, 4, output);
  assert.match(output, /^2048 SHA256:\S{43} .* ?\(RSA\)$/m);
  assert.match(output, /^on demo-\S+-master-1$/m);
  assert.match(output, /^then demo-\S+-master-2$/m);
  const again = await connect(access, "echo in\n");
  assert.equal(again.code, 255);
  assert.match(again.output, /Permission denied/);
});

/** Reads the session recordings like a portal administrator. */
async function recordings() {
  const { portal, subscriptionId, caFile } = readEndpoints(state.file("endpoints.json"));
  const browser = new Browser(readFileSync(caFile, "utf8"));
  await browser.signIn(portal, "administrator@keelson.local");
  const path = `/api/${subscriptionId}/demo/demo/recordings`;
  const { status, text } = await browser.send(portal, path);
  assert.equal(status, 200, text);
  const list: { id: string; kind: string; username: string; master: number; endedAt?: string }[] =
    JSON.parse(text).recordings;
  const castOf = async (id: string) => (await browser.send(portal, `${path}/${id}`)).text;
  return { list, castOf };
}

test("the shell's output is in the portal, for administrators", async () => {
  const { list, castOf } = await recordings();
  const shell = list.find(({ kind }) => kind === "shell");
  assert.ok(shell?.endedAt);
  assert.deepEqual([shell.username, shell.master], ["ada@example.com", 1]);
  assert.match(await castOf(shell.id), /then demo-\S+-master-2/);
});

test("a stopping portal ends running sessions, and keeps the complete recording", async () => {
  const access = await newAccess(0);
  // The command lasts longer than the test.
  const command = `${access.command} 'echo begun; sleep 3600; echo unseen'`;
  const running = connect({ ...access, command }, "");
  await eventually(async () => assert.equal((await recordings()).list[0]?.kind, "exec"));
  assert.equal(await program.signal("SIGTERM"), 0, program.stderr);
  assert.equal((await running).code, 255);
  program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
  await program.says(/endpoints/);
  const { list, castOf } = await recordings();
  const [exec] = list;
  assert.deepEqual([exec?.kind, exec?.endedAt !== undefined], ["exec", true]);
  const cast = await castOf(exec?.id ?? "");
  assert.match(cast, /"o","begun/);
  assert.doesNotMatch(cast, /"o","unseen/);
});
