import { randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { CaseClients } from "./case-clients.ts";
import type { ClientProbes, ProbeName } from "./client-probes.ts";
import { type CrashCase, type Victim, victims } from "./crash-case.ts";
import type { CrashedInstance } from "./crashed-instance.ts";
import { Install, type InstallResult } from "./install.ts";
import type { Outage } from "./outage.ts";
import { configMapWrites, tagWrites } from "./write-targets.ts";
import { type WriteResult, Writer } from "./writer.ts";

export interface SuspensionResult {
  /** True if `keelson status` reported the component as "not responding since" during the suspension. */
  readonly isShown: boolean;
  /** Names of the processes that were restarted. */
  readonly replaced: readonly string[];
}

/** Measurements of a case. The journal is read later, after the service has stopped. */
export interface CaseResult {
  readonly outages: Readonly<Record<ProbeName, Outage>>;
  readonly writes: { readonly arm: WriteResult; readonly kube: WriteResult };
  readonly install?: InstallResult;
  readonly suspension?: SuspensionResult;
}

export interface CaseOptions {
  readonly suspendMs: number;
  /** Milliseconds without failures after which the case ends. */
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

/** Runs one case. Resolves to its measurements. After a crash, also resolves to the path of a database copy from that time. */
export async function runCase(
  instance: CrashedInstance,
  { victim, signal: name, situation }: CrashCase,
  { suspendMs, quietMs, signal: outer }: CaseOptions,
): Promise<{ readonly result: CaseResult; readonly databaseCopy?: string }> {
  const end = new AbortController();
  using stack = new DisposableStack();
  stack.defer(() => end.abort());
  const signal = AbortSignal.any([outer, end.signal]);
  await using clients = new CaseClients(instance);
  await using probes = clients.probe();
  const id = randomUUID().slice(0, 8);
  const tags = new Writer(await tagWrites(clients.arm, clients.cluster("demo"), signal), signal);
  const configMaps = new Writer(configMapWrites(clients.kube, `crash-${id}`), signal);
  await untilTrue(() => probes.isQuiet(1_000), signal);
  const find = (cluster: string) => clients.provisioningState(cluster, signal);
  await using install =
    situation === "installing"
      ? await Install.begin({ state: instance.state.path, name: `i${id}`, find, signal })
      : undefined;
  const before = instance.pids();
  let isShown: boolean | undefined;
  let databaseCopy: string | undefined;
  if (name === "SIGSTOP") {
    isShown = await suspendFor(instance, victim, suspendMs, probes, signal);
  } else {
    databaseCopy = await instance.crash(victim, name);
    probes.signalled();
    if (victim === "supervisor") await instance.up();
  }
  await untilTrue(() => name === "SIGSTOP" || instance.pids().get(victim) !== before.get(victim), signal);
  await untilTrue(() => probes.isQuiet(quietMs), signal);
  const installed = await install?.end();
  const writes = { arm: await tags.stop(), kube: await configMaps.stop() };
  return {
    result: {
      outages: probes.outages(),
      writes,
      ...(installed && { install: installed }),
      ...(isShown !== undefined && { suspension: { isShown, replaced: replaced(before, instance.pids()) } }),
    },
    ...(databaseCopy === undefined ? {} : { databaseCopy }),
  };
}

/** Suspends a process for some time. True if `keelson status` reported the suspension. */
async function suspendFor(
  instance: CrashedInstance,
  victim: Victim,
  ms: number,
  probes: ClientProbes,
  signal: AbortSignal,
): Promise<boolean> {
  const pid = instance.pidOf(victim);
  const pattern = new RegExp(`^${victim} .*not responding since`, "m");
  process.kill(pid, "SIGSTOP");
  probes.signalled();
  try {
    await delay(ms, undefined, { signal });
    return pattern.test(await instance.printedStatus());
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

function replaced(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): readonly string[] {
  return victims.filter((each) => now.get(each) !== before.get(each));
}

async function untilTrue(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isTrue()) await delay(50, undefined, { signal });
}
