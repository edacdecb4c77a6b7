import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { connect } from "node:net";
import { type Clock, listAt, numberAt, stringAt, valueAt, withTimeout } from "@keelson/base";
import type { ContainerRun } from "./runs/container-run.ts";

export interface ProbedProcess {
  readonly spec: unknown;
  readonly run: ContainerRun;
  readonly clock: Clock;
  /** Called when the readiness changes. */
  readonly changed: () => void;
  /** Called when the liveness or startup probe fails. The caller must then stop the process. */
  readonly unhealthy: (message: string) => void;
}

type Kind = "startup" | "readiness" | "liveness";

interface Schedule {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
}

/**
 * Minimum timeout of a probe in milliseconds. A local process may be slow because the machine is busy, so shorter timeouts of the
 * pod are extended.
 */
const minTimeoutMs = 60_000;
/** Maximum event loop delay in milliseconds. A probe that fails during a longer delay is ignored. */
const maxLateMs = 500;
/** Startup period in milliseconds. Failures of startup and liveness probes during this period are ignored. */
const startupGraceMs = 600_000;
/** Maximum probe interval in milliseconds until the container is ready. Frequent probes shorten the start. */
const eagerMs = 500;

/**
 * Probes of a container that runs as a real process (core/v1 Probe). Requests go to the host ports that replace the container's
 * ports. Without a readiness probe, the process is ready immediately. Command probes are not executed and always succeed.
 *
 * Probes must not fail only because this machine is busy. A probe failure counts only if this process's event loop had no delay
 * during the probe. Failures of startup and liveness probes count only after the first success or after ten minutes.
 */
export class ProcessProbes {
  readonly #process: ProbedProcess;
  // Reuses connections because opening a connection costs more than the probe. The real kubelet opens a connection for each
  // probe.
  readonly #httpAgent = new HttpAgent({ keepAlive: true });
  readonly #httpsAgent = new HttpsAgent({ keepAlive: true });
  #isReady: boolean;

  constructor(process: ProbedProcess) {
    this.#process = process;
    this.#isReady = valueAt(process.spec, "readinessProbe") === undefined;
    void this.#run().finally(() => {
      this.#httpAgent.destroy();
      this.#httpsAgent.destroy();
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async #run(): Promise<void> {
    await this.#follow("startup", (succeeds) => (succeeds ? "enough" : this.#kill("Startup")));
    await Promise.all([
      this.#follow("liveness", (succeeds) => (succeeds ? "more" : this.#kill("Liveness"))),
      this.#follow("readiness", (succeeds) => {
        if (succeeds !== this.#isReady) {
          this.#isReady = succeeds;
          this.#process.changed();
        }
        return "more";
      }),
    ]);
  }

  #kill(kind: string): "enough" {
    const name = stringAt(this.#process.spec, "name") ?? "";
    this.#process.unhealthy(`Container ${name} failed ${kind.toLowerCase()} probe, will be restarted`);
    return "enough";
  }

  /**
   * Repeats a probe until the container terminates or `decide` returns `enough`. Calls `decide` each time the number of
   * consecutive equal results reaches the probe's success or failure threshold.
   */
  async #follow(kind: Kind, decide: (succeeds: boolean) => "more" | "enough"): Promise<void> {
    const { spec, run, clock } = this.#process;
    const probe = valueAt(spec, `${kind}Probe`);
    if (probe === undefined) return;
    const schedule = scheduleOf(probe);
    const startedMs = clock.monotonicMs();
    let hasSucceeded = kind === "readiness";
    let successes = 0;
    let failures = 0;
    let pauseMs = schedule.initialDelayMs;
    for (;;) {
      await clock.sleep(pauseMs, run.over).catch(() => undefined);
      if (run.over.aborted) return;
      const lateMs = clock.lateMs?.() ?? 0;
      const succeeds = await this.#ask(probe, schedule.timeoutMs);
      if (run.over.aborted) return;
      hasSucceeded ||= succeeds;
      const isLate = (clock.lateMs?.() ?? 0) - lateMs > maxLateMs;
      const isStarting = !hasSucceeded && clock.monotonicMs() - startedMs < startupGraceMs;
      const counts = succeeds || !(isLate || isStarting);
      if (counts) {
        successes = succeeds ? successes + 1 : 0;
        failures = succeeds ? 0 : failures + 1;
      }
      const isEnough = succeeds
        ? successes >= schedule.successThreshold
        : failures >= schedule.failureThreshold;
      if (counts && isEnough && decide(succeeds) === "enough") return;
      const isAwaited = kind === "readiness" && !this.#isReady;
      pauseMs = isAwaited ? Math.min(eagerMs, schedule.periodMs) : schedule.periodMs;
    }
  }

  async #ask(probe: unknown, timeoutMs: number): Promise<boolean> {
    const signal = withTimeout(this.#process.run.over, timeoutMs);
    const http = valueAt(probe, "httpGet");
    const tcp = valueAt(probe, "tcpSocket");
    if (http !== undefined) return this.#get(http, signal);
    if (tcp !== undefined) return connects(this.#hostPort(valueAt(tcp, "port")), signal);
    return true;
  }

  async #get(http: unknown, signal: AbortSignal): Promise<boolean> {
    const port = this.#hostPort(valueAt(http, "port"));
    if (port === undefined) return false;
    const headers = Object.fromEntries(
      listAt(http, "httpHeaders").map((each) => [
        stringAt(each, "name") ?? "",
        stringAt(each, "value") ?? "",
      ]),
    );
    const target = { host: "127.0.0.1", port, path: stringAt(http, "path") ?? "/", headers, signal };
    const isHttps = stringAt(http, "scheme") === "HTTPS";
    const outcome = await get(isHttps, { ...target, agent: isHttps ? this.#httpsAgent : this.#httpAgent });
    // The server may close an idle connection at any time, so a stale connection is retried.
    return (outcome === "stale" ? await get(isHttps, { ...target, agent: false }) : outcome) === "succeeded";
  }

  /** Returns the host port of a container port, given by number or name. `undefined` if the port is not declared. */
  #hostPort(port: unknown): number | undefined {
    const { spec, run } = this.#process;
    const declared = listAt(spec, "ports").find((each) => stringAt(each, "name") === port);
    const number = typeof port === "number" ? port : numberAt(declared, "containerPort");
    return number === undefined ? undefined : run.hostPorts?.get(number);
  }
}

/** Sends one HTTP probe. Returns `stale` if a reused connection failed. */
function get(isHttps: boolean, options: RequestOptions): Promise<"succeeded" | "failed" | "stale"> {
  const send = isHttps ? httpsRequest : httpRequest;
  const { promise, resolve } = Promise.withResolvers<"succeeded" | "failed" | "stale">();
  // Like the kubelet, does not verify certificates.
  const request = send({ ...options, rejectUnauthorized: false }, (response) => {
    response.resume();
    const code = response.statusCode ?? 0;
    resolve(code >= 200 && code < 400 ? "succeeded" : "failed");
  });
  request.on("error", () => resolve(request.reusedSocket ? "stale" : "failed")).end();
  return promise;
}

function scheduleOf(probe: unknown): Schedule {
  const seconds = (member: string, standard: number) => (numberAt(probe, member) ?? standard) * 1_000;
  return {
    initialDelayMs: seconds("initialDelaySeconds", 0),
    periodMs: Math.max(1_000, seconds("periodSeconds", 10)),
    timeoutMs: Math.max(minTimeoutMs, seconds("timeoutSeconds", 1)),
    successThreshold: numberAt(probe, "successThreshold") ?? 1,
    failureThreshold: numberAt(probe, "failureThreshold") ?? 3,
  };
}

function connects(port: number | undefined, signal: AbortSignal): Promise<boolean> {
  if (port === undefined) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: "127.0.0.1", signal });
  socket.once("connect", () => {
    socket.destroy();
    resolve(true);
  });
  socket.once("error", () => resolve(false));
  return promise;
}
