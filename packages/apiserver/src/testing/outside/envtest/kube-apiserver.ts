/**
 * Our server behind the arguments of a kube-apiserver, as far as controller-runtime's envtest uses them: it finds the
 * serving certificate `apiserver.crt` in the folder for certificates, and serves one cluster in memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { silentLogger, systemClock } from "@keelson/base";
import { startApiServer } from "../../../start-api-server.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    help: { type: "boolean" },
    "bind-address": { type: "string", default: "127.0.0.1" },
    "secure-port": { type: "string", default: "6443" },
    "cert-dir": { type: "string", default: "." },
    "client-ca-file": { type: "string" },
  },
});
if (values.help) {
  process.stdout.write("  --secure-port int\n  --cert-dir string\n  --client-ca-file string\n");
  process.exit();
}
const file = (name: string) => readFileSync(join(String(values["cert-dir"]), name), "utf8");
const name = "envtest";
const server = await startApiServer({
  host: String(values["bind-address"]),
  port: Number(values["secure-port"]),
  tls: { certificatePem: file("apiserver.crt"), privateKeyPem: file("apiserver.key") },
  rootCluster: name,
  storage: { kind: "memory" },
  logger: silentLogger,
  clock: systemClock,
});
const authority = values["client-ca-file"];
await server.createCluster({
  name,
  clientCertificateAuthorities: typeof authority === "string" ? [readFileSync(authority, "utf8")] : [],
});
process.once("SIGTERM", async () => {
  await server[Symbol.asyncDispose]();
  process.exit();
});
