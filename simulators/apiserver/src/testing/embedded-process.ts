import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import {
  type CertificateRequest,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
} from "@keelson/base";
import type { ControlPlane } from "./control-plane.ts";
import type { ProcessReport, ServeSettings } from "./serve-embedded.ts";

/** Keelson's API server in a separate process, with one cluster. */
export interface EmbeddedProcess extends ControlPlane {
  readonly processId: number;
  /** URLs of the clusters in `more`. */
  readonly urls: readonly string[];
  /** Returns the measurements of the process since the last call of `report`. */
  report(): Promise<ProcessReport>;
  /** Duration of `startApiServer` and `createCluster` in milliseconds. */
  readonly readyAfterMs: number;
  /** Time in milliseconds since the process started. It includes the start of Node.js and the loading of code. */
  readonly sinceProcessMs: number;
  /** Kills the process without a shutdown, as in a power failure. */
  kill(): Promise<void>;
  /** Compacts the history of the process's main cluster. */
  forgetHistory(): void;
}

export interface EmbeddedProcessOptions {
  /** Path of the storage file. By default, the storage is in memory. */
  readonly file?: string | undefined;
  /** CA of an earlier process that used the same file. Default: a new CA. */
  readonly authority?: KeyPair | undefined;
  /** Node.js flags. */
  readonly execArgv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of additional clusters. */
  readonly more?: readonly string[];
}

export async function startEmbeddedProcess(options: EmbeddedProcessOptions = {}): Promise<EmbeddedProcess> {
  const authority = options.authority ?? (await createCertificateAuthority("embedded", 2));
  const user = (wanted: Partial<CertificateRequest> & { readonly commonName: string }) =>
    issueCertificate(authority, { usage: "client", validDays: 1, ...wanted });
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const script = new URL(`./serve-embedded${extname(import.meta.url)}`, import.meta.url).pathname;
  const flags = ["--disable-warning=ExperimentalWarning", ...(options.execArgv ?? [])];
  const child = spawn(process.execPath, [...flags, script], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...options.environment },
  });
  const settings: ServeSettings = {
    tls,
    clientAuthorityPem: authority.certificatePem,
    more: options.more ?? [],
    file: options.file,
  };
  child.stdin.write(`${JSON.stringify(settings)}\n`);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: line, done } = await lines.next();
  if (done) throw new Error("the server exited before it listened");
  const said: { url: string; urls: readonly string[]; readyAfterMs: number; sinceProcessMs: number } =
    JSON.parse(line);
  return {
    ...said,
    authority,
    admin: await user({ commonName: "system:admin", organizations: ["system:masters"] }),
    processId: child.pid ?? 0,
    report: async () => {
      child.stdin.write("report\n");
      const response = await lines.next();
      if (response.done) throw new Error("the server exited");
      const report: ProcessReport = JSON.parse(response.value);
      return report;
    },
    user,
    kill: () => end("SIGKILL"),
    forgetHistory: () => void child.kill("SIGUSR2"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}
