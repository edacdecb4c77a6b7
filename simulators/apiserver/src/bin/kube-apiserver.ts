/**
 * Keelson's API server with the kube-apiserver arguments of controller-runtime's envtest. It reads the serving certificate
 * `apiserver.crt` from the certificate directory. It serves one cluster in memory.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { silentLogger, systemClock } from "@keelson/base";
import { startApiServer } from "../start-api-server.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    help: { type: "boolean" },
    "bind-address": { type: "string", default: "127.0.0.1" },
    "secure-port": { type: "string", default: "6443" },
    "cert-dir": { type: "string", default: "." },
    "client-ca-file": { type: "string" },
    "disable-admission-plugins": { type: "string", default: "" },
  },
});
if (values.help) {
  const flags = ["--secure-port int", "--cert-dir string", "--client-ca-file string"];
  for (const flag of [...flags, "--disable-admission-plugins strings"]) process.stdout.write(`  ${flag}\n`);
  process.exit();
}
const file = (name: string) => readFileSync(join(String(values["cert-dir"]), name), "utf8");
const name = "envtest";
const server = await startApiServer({
  host: String(values["bind-address"]),
  port: Number(values["secure-port"]),
  tls: { certificatePem: file("apiserver.crt"), privateKeyPem: file("apiserver.key") },
  rootCluster: name,
  controllerManager: false,
  disabledAdmissionPlugins: String(values["disable-admission-plugins"]).split(","),
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
