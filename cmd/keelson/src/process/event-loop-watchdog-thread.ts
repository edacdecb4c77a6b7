import { writeSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { setTimeout as delay } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { type WatchdogSettings, watchdogFields } from "./watchdog-settings.ts";

const { shared, beatMs, limitMs, quietMs, facts }: WatchdogSettings = workerData;
const fields = new Int32Array(shared);
const standardError = 2;
const mostFrames = 20;
/** Time limit, in ms, for sampling the blocked thread. While the thread runs native code, it cannot be sampled. */
const sampleLimitMs = 3_000;

/** Duration of the CPU profile in ms. The most frequent stack is logged. */
const sampleMs = 100;
const sampleIntervalUs = 5_000;

interface Frame {
  readonly functionName: string;
  readonly url: string;
  /** Zero-based. */
  readonly lineNumber: number;
}

await watch();

async function watch(): Promise<void> {
  let beats = Atomics.load(fields, watchdogFields.beats);
  let lastBeatMs = performance.now();
  let loggedMs = Number.NEGATIVE_INFINITY;
  let isStalled = false;
  for (;;) {
    const askedMs = performance.now();
    await delay(beatMs);
    const nowMs = performance.now();
    const next = Atomics.load(fields, watchdogFields.beats);
    // True if this thread was delayed too. In this case the process was suspended or the machine is overloaded, and no code
    // blocks the event loop.
    const isStarved = nowMs - askedMs > beatMs + limitMs;
    if (next !== beats || isStarved) {
      [beats, lastBeatMs, isStalled] = [next, nowMs, false];
      continue;
    }
    if (isStalled || nowMs - lastBeatMs < limitMs) continue;
    isStalled = true;
    Atomics.add(fields, watchdogFields.stalls, 1);
    if (nowMs - loggedMs < quietMs) continue;
    loggedMs = nowMs;
    log(Math.round(nowMs - lastBeatMs), await stackOfMainThread());
  }
}

/** Samples the main thread. Returns the most frequent stack, or `undefined` while the thread runs native code. */
async function stackOfMainThread(): Promise<readonly string[] | undefined> {
  const session = new Session();
  const stopped = new AbortController();
  try {
    session.connectToMainThread();
    const late = delay(sampleLimitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    const sampling = sample(session);
    sampling.catch(() => undefined);
    return await Promise.race([sampling, late]);
  } catch {
    return undefined;
  } finally {
    stopped.abort();
    session.disconnect();
  }
}

async function sample(session: Session): Promise<readonly string[] | undefined> {
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: sampleIntervalUs });
  await session.post("Profiler.start");
  await delay(sampleMs);
  const { profile } = await session.post("Profiler.stop");
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const own = profile.nodes.filter(({ callFrame }) => callFrame.url !== "");
  const [hottest] = own.toSorted((a, b) => (b.hitCount ?? 0) - (a.hitCount ?? 0));
  if (!hottest?.hitCount) return undefined;
  const stack: string[] = [];
  for (let id: number | undefined = hottest.id; id !== undefined; id = parents.get(id)) {
    const frame = nodes.get(id)?.callFrame;
    if (frame && frame.url !== "" && stack.length < mostFrames) stack.push(frameText(frame));
  }
  return stack;
}

function frameText({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || "(anonymous)"} ${url.replace(/^file:\/\//, "")}:${lineNumber + 1}`;
}

/** Writes the log line directly to standard error, because the logger runs on the blocked main thread. */
function log(blockedMs: number, stack: readonly string[] | undefined): void {
  const line = {
    level: "warn",
    time: new Date().toISOString(),
    component: "watchdog",
    ...facts,
    blockedMs,
    stack: stack ?? "none: native code, or the garbage collector",
    msg: "the event loop is blocked",
  };
  try {
    writeSync(standardError, `${JSON.stringify(line)}\n`);
  } catch {
    // Write errors are ignored, because standard error may be closed or full.
  }
}
