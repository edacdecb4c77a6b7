import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

const scripts = new URL("..", import.meta.url).pathname;

/** Test checkout with a copy of the runner and test files in `tests/`. */
class Checkout implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "checkout-"));

  constructor(files: Readonly<Record<string, string>>) {
    for (const part of ["run-tests.ts", "child-processes.ts", "process-table.ts", "test-runner"])
      cpSync(join(scripts, part), join(this.path, "scripts", part), {
        recursive: true,
        filter: (file) => !file.endsWith(".test.ts"),
      });
    mkdirSync(join(this.path, "tests"));
    writeFileSync(join(this.path, "package.json"), JSON.stringify({ workspaces: [], type: "module" }));
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(this.path, "tests", name), content);
  }

  start(...args: string[]): ChildProcess {
    // Removes variables with which the runner would report to the enclosing test process.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = ["--disable-warning=ExperimentalWarning", join(this.path, "scripts/run-tests.ts")];
    return spawn(process.execPath, [...options, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  }

  async run(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
    const child = this.start(...args);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    const [code] = await once(child, "close");
    return { code, output };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const matrix = `
import { describe, test } from "node:test";
for (const variant of ["PostgreSQL", "Cosmos DB"])
  describe("on " + variant, () => {
    test("stores", () => undefined);
    test("replaces", async (t) => {
      await t.test("with an etag", () => {
        if (variant === "Cosmos DB") throw new Error("it's gone");
      });
    });
    if (variant === "Cosmos DB") test("isn't lost", () => { throw new Error("lost"); });
  });
`;

test("a failure is printed with the titles of its matrix and a command that runs it alone", async () => {
  using checkout = new Checkout({
    "matrix.test.ts": matrix,
    "other.test.ts": `import { test } from "node:test"; test("passes", () => undefined); test.skip("skipped");`,
  });
  const { code, output } = await checkout.run("--json", join(checkout.path, "result.json"));
  assert.equal(code, 1);
  assert.match(output, /FAIL on Cosmos DB > replaces > with an etag\n {2}at tests\/matrix\.test\.ts:7\n/);
  const command = `scripts/run-tests.ts tests/matrix.test.ts --name 'on Cosmos DB replaces'`;
  assert.ok(output.includes(command), output);
  assert.ok(output.includes(`--name 'on Cosmos DB isn'\\''t lost'`), output);
  assert.match(output, /\n5 passed, 2 failed\n$/);
  const result = JSON.parse(readFileSync(join(checkout.path, "result.json"), "utf8"));
  assert.deepEqual(Object.keys(result.files).sort(), ["tests/matrix.test.ts", "tests/other.test.ts"]);

  const alone = await checkout.run("tests/matrix.test.ts", "--name", "on Cosmos DB replaces");
  assert.match(alone.output, /it's gone/);
  assert.match(alone.output, /\n0 passed, 1 failed\n$/);
  const suite = await checkout.run("tests/matrix.test.ts", "--name", "on PostgreSQL");
  assert.deepEqual([suite.code, suite.output.split("\n").at(-2)], [0, "3 passed, 0 failed"]);
  const unknown = await checkout.run("tests/matrix.test.ts", "--name", "on MySQL");
  assert.equal(unknown.code, 1);
  assert.match(unknown.output, /No test has the title "on MySQL"/);
});

for (const option of ["--untracked-promises", undefined]) {
  test(`an unhandled rejection fails its file ${option ? "when promises are untracked" : "or its test"}`, async () => {
    using checkout = new Checkout({
      "a.test.ts": `import { test } from "node:test"; test("passes", () => undefined);`,
      "b.test.ts": `import { test } from "node:test"; test("forgets", async () => { Promise.reject(new Error("forgotten")); await new Promise((done) => setTimeout(done, 20)); });`,
    });
    const { code, output } = await checkout.run(...(option ? [option] : []));
    assert.equal(code, 1);
    assert.match(output, /forgotten/);
    assert.match(output, option ? /FAIL tests\/b\.test\.ts\n/ : /FAIL forgets\n/);
    assert.match(output, /run it alone: .* tests\/b\.test\.ts/);
  });
}

for (const option of ["--untracked-promises", undefined]) {
  test(`an exception in a timer fails ${option ? "its file when promises are untracked" : "its test"}, and later files run`, async () => {
    using checkout = new Checkout({
      "a.test.ts": `import { describe, test } from "node:test"; describe("suite", () => test("waits", () => new Promise(() => { setTimeout(() => { throw new Error("thrown later"); }, 20); })));`,
      "b.test.ts": `import { test } from "node:test"; test("passes", async (t) => { await t.test("subtest", () => undefined); });`,
    });
    const { code, output } = await checkout.run(...(option ? [option] : []));
    assert.equal(code, 1);
    assert.match(output, /thrown later/);
    assert.match(output, /FAIL suite > waits\n/);
    if (option) assert.match(output, /FAIL tests\/a\.test\.ts\n/);
    assert.match(output, /run it alone: .* tests\/a\.test\.ts/);
    assert.match(output, /\n2 passed, \d failed\n$/);
  });
}

test("a file that crashes its process fails the run and is named", async () => {
  using checkout = new Checkout({
    "crash.test.ts": `import { test } from "node:test"; test("crashes", () => process.exit(3));`,
  });
  const { code, output } = await checkout.run();
  assert.equal(code, 1);
  assert.match(output, /FAIL [^\n]*\n {2}at [^\n]*tests\/crash\.test\.ts/);
});

test("a process that an open handle keeps running after its last test fails its files, and later processes run", async () => {
  const waits = `import { test } from "node:test"; import { createServer } from "node:net";
    test("leaves a server open", () => new Promise((done) => createServer().listen(0, done)));`;
  using checkout = new Checkout({
    "open.test.ts": waits,
    "e2e.test.ts": `import { test } from "node:test"; test("passes", () => undefined);`,
  });
  const { code, output } = await checkout.run("--exit-within", "200");
  assert.equal(code, 1);
  assert.match(output, /left handles open for 0\.2 s after the last test: [^\n]*TCPServerWrap/);
  assert.match(output, /FAIL [^\n]*\n {2}at [^\n]*tests\/open\.test\.ts/);
  assert.match(output, /\n2 passed, 1 failed\n$/);
});

test("no matching file and a wrong option are errors", async () => {
  using checkout = new Checkout({ "a.test.ts": "" });
  const none = await checkout.run("nosuch");
  assert.deepEqual([none.code, none.output.split("\n").at(-2)], [1, "0 passed, 1 failed"]);
  const wrong = await checkout.run("--nosuch");
  assert.equal(wrong.code, 2);
  assert.match(wrong.output, /--nosuch[\s\S]*--help/);
  const limit = await checkout.run("--exit-within", "5s");
  assert.equal(limit.code, 2);
  assert.match(limit.output, /--exit-within 5s is not a number of milliseconds, for example 300000/);
});

/** True if the process has not exited. A zombie process has already exited, so the result is false. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} stops every process that tests started, also detached ones, and removes their files`, async () => {
    const report = join(tmpdir(), `run-tests-${process.pid}-${signal}.json`);
    using checkout = new Checkout({
      "endless.test.ts": `
        import { spawn } from "node:child_process";
        import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
        import { tmpdir } from "node:os";
        import { join } from "node:path";
        import { test } from "node:test";
        const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')";
        test("never ends", () => new Promise(() => {
          const child = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
          child.stdout.once("data", () => {
            const directory = mkdtempSync(join(tmpdir(), "x-"));
            writeFileSync("${report}.new", JSON.stringify({ pid: child.pid, directory }));
            renameSync("${report}.new", "${report}");
          });
          setInterval(() => undefined, 1_000);
        }));
      `,
    });
    try {
      const runner = checkout.start();
      while (!existsSync(report)) await delay(20);
      const { pid, directory } = JSON.parse(readFileSync(report, "utf8"));
      assert.ok(existsSync(directory));
      runner.kill(signal);
      const [code] = await once(runner, "exit");
      assert.equal(code, signal === "SIGTERM" ? 143 : 130);
      assert.equal(isRunning(pid), false);
      assert.equal(existsSync(directory), false);
    } finally {
      rmSync(report, { force: true });
    }
  });
}
