import type { ChildProcess } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CertificateRequest,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  spawnBound,
} from "@keelson/base";
import { freePorts } from "@keelson/base/testing";
import { request } from "undici";
import { agentFor } from "./agent.ts";

const readyWithinMs = 60_000;
const pollMs = 20;
const stopWithinMs = 5_000;

/** Kubernetes API server for tests. Clients authenticate with certificates of one CA. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  /** CA that issues the server's and the users' certificates. */
  readonly authority: KeyPair;
  /** User in the group `system:masters`. */
  readonly admin: KeyPair;
  /** Issues a client certificate. The common name is the user's name, and the organizations are the user's groups. */
  user(request: Partial<CertificateRequest> & { readonly commonName: string }): Promise<KeyPair>;
}

/** Real kube-apiserver and etcd in separate processes. */
export interface RealControlPlane extends ControlPlane {
  /** Time in milliseconds from the start of the first process until `/readyz` returned ok. */
  readonly readyAfterMs: number;
  /** URL of etcd. etcd also accepts JSON requests. */
  readonly etcdUrl: string;
  /** Process IDs, used for measurements. */
  readonly processIds: { readonly etcd: number; readonly apiserver: number };
}

export interface ControlPlaneOptions {
  /** True if pods need service accounts, as in real clusters. Tests must create the accounts, because no controllers run. */
  readonly serviceAccounts?: boolean;
  /** File with an EncryptionConfiguration. kube-apiserver encrypts stored objects with it. */
  readonly encryptionConfig?: string;
}

/**
 * Starts `etcd` and `kube-apiserver` on free ports. `assets` is the directory of both programs (`KUBEBUILDER_ASSETS`). If the
 * programs are not ready within a minute, rejects with the end of their logs.
 */
export async function startControlPlane(
  assets: string,
  { serviceAccounts = false, encryptionConfig }: ControlPlaneOptions = {},
): Promise<RealControlPlane> {
  for (const name of ["etcd", "kube-apiserver"])
    if (!existsSync(join(assets, name))) throw new Error(`${assets} has no ${name}`);
  const directory = mkdtempSync(join(tmpdir(), "control-plane-"));
  const authority = await createCertificateAuthority("control-plane", 2);
  const user = (wanted: Partial<CertificateRequest> & { readonly commonName: string }) =>
    issueCertificate(authority, { usage: "client", validDays: 1, ...wanted });
  const admin = await user({ commonName: "system:admin", organizations: ["system:masters"] });
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const accounts = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const [clientPort = 0, peerPort = 0, port = 0] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const url = `https://127.0.0.1:${port}`;
  const processes: ChildProcess[] = [];
  const run = (name: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(directory, `${name}.log`), "a");
    const child = spawnBound(join(assets, name), args, { stdio: ["ignore", log, log] });
    // The readiness timeout detects a failed start.
    child.on("error", () => undefined);
    processes.push(child);
    return child;
  };
  const dispose = async () => {
    for (const child of processes.toReversed()) await stop(child);
    rmSync(directory, { recursive: true, force: true });
  };
  const began = performance.now();
  const etcd = run("etcd", [
    `--data-dir=${join(directory, "etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
  ]);
  const apiserver = run("kube-apiserver", [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${directory}`,
    `--tls-cert-file=${file("tls.crt", tls.certificatePem)}`,
    `--tls-private-key-file=${file("tls.key", tls.privateKeyPem)}`,
    `--client-ca-file=${file("ca.crt", authority.certificatePem)}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-signing-key-file=${file("sa.key", accounts.privateKey.export({ type: "pkcs8", format: "pem" }).toString())}`,
    `--service-account-key-file=${file("sa.pub", accounts.publicKey.export({ type: "spki", format: "pem" }).toString())}`,
    "--service-cluster-ip-range=172.30.0.0/16",
    "--authorization-mode=RBAC",
    "--enable-admission-plugins=NodeRestriction",
    ...(serviceAccounts ? [] : ["--disable-admission-plugins=ServiceAccount"]),
    "--endpoint-reconciler-type=none",
    "--allow-privileged=true",
    ...(encryptionConfig === undefined ? [] : [`--encryption-provider-config=${encryptionConfig}`]),
  ]);
  try {
    await untilReady(url, authority, admin);
  } catch (error) {
    const log = readFileSync(join(directory, "kube-apiserver.log"), "utf8").slice(-2_000);
    await dispose();
    throw new Error(`the control plane was not ready within ${readyWithinMs} ms:\n${log}`, { cause: error });
  }
  return {
    url,
    authority,
    admin,
    etcdUrl,
    readyAfterMs: performance.now() - began,
    processIds: { etcd: etcd.pid ?? 0, apiserver: apiserver.pid ?? 0 },
    user,
    [Symbol.asyncDispose]: dispose,
  };
}

async function untilReady(url: string, authority: KeyPair, admin: KeyPair): Promise<void> {
  const agent = agentFor(authority, admin);
  try {
    for (const end = performance.now() + readyWithinMs; ; ) {
      try {
        const { statusCode, body } = await request(`${url}/readyz`, { dispatcher: agent });
        await body.dump();
        if (statusCode === 200) return;
      } catch (error) {
        if (performance.now() > end) throw error;
      }
      if (performance.now() > end) throw new Error("/readyz does not return ok");
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  } finally {
    await agent.close();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
  await exited;
  clearTimeout(impatient);
}
