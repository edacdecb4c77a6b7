import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { spawnBound } from "@keelson/base";

const module = new URL("./event-loop-watchdog.ts", import.meta.url).href;

/** Starts a program with a watchdog. In `body`, `blockingLoop(ms)` blocks the thread and `stalls()` reads the counter. */
function watched(body: string) {
  const program = `
    import { createLogger, Metrics } from "@keelson/base";
    import { startEventLoopWatchdog } from ${JSON.stringify(module)};
    import { setTimeout as delay } from "node:timers/promises";
    const metrics = new Metrics();
    using watchdog = startEventLoopWatchdog({ metrics, logger: createLogger({ level: "info" }), startAfterMs: 0, beatMs: 50, limitMs: 400, quietMs: 0, facts: { service: "test" } });
    function blockingLoop(ms) { const end = performance.now() + ms; while (performance.now() < end); }
    const stalls = async () => Number((await metrics.expose()).body.match(/^process_event_loop_stalls_total (\\d+)/m)[1]);
    ${body}
  `;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", program];
  return spawnBound(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "pipe"] });
}

test("the stack of the code that blocks the event loop is logged and counted, and the process continues", async () => {
  // The program blocks repeatedly, because on a busy machine the watchdog thread may run only after the first block has ended.
  // The stack may show a different function name, because the compiler may inline the function.
  const child = watched(`
    await delay(100);
    for (let block = 0; block < 20; block++) {
      blockingLoop(4_000);
      await delay(100);
      console.log(await stalls());
    }
  `);
  try {
    assert.ok(child.stderr && child.stdout);
    const found = Promise.withResolvers<Record<string, unknown>>();
    const lines: string[] = [];
    createInterface(child.stderr).on("line", (line) => {
      lines.push(line);
      if (line.startsWith("{") && line.includes("[eval")) found.resolve(JSON.parse(line));
    });
    const counted = Promise.withResolvers<void>();
    createInterface(child.stdout).on("line", (line) => {
      if (Number(line) > 0) counted.resolve();
    });
    const ended = once(child, "close").then(() => assert.fail(`ended without a line:\n${lines.join("\n")}`));
    const line = await Promise.race([found.promise, ended]);
    await Promise.race([counted.promise, ended]);
    assert.equal(line.msg, "the event loop is blocked");
    assert.equal(line.service, "test");
    assert.ok(Number(line.blockedMs) >= 400);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a process with a watchdog ends by itself", async () => {
  const child = watched("await delay(300);");
  const [code] = await once(child, "close");
  assert.equal(code, 0);
});
