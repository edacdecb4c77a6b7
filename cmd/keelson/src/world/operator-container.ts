/**
 * The program of a simulated pod of the operator. It runs the same command as the image, with what differs where
 * containers have no file system and no network of their own: files are below `KEELSON_ROOT`, ports are `KEELSON_PORT_n`,
 * and the API server is that of the kubeconfig, whose URL has a path.
 */
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../../../.tools/compile-cache", import.meta.url)));
const { KEELSON_ROOT: root = "/", KEELSON_SERVICE_ACCOUNT: account = "", KUBECONFIG = "" } = process.env;
const kubeconfig: { clusters: { cluster: { server: string } }[] } = JSON.parse(
  readFileSync(KUBECONFIG, "utf8"),
);
delete process.env.KUBECONFIG;
for (const [name, value] of Object.entries(process.env))
  if (name.endsWith("_FILE") && value?.startsWith("/")) process.env[name] = join(root, value);
const flags = {
  "--server": kubeconfig.clusters[0]?.cluster.server ?? "",
  "--service-account": account,
  "--host": "127.0.0.1",
  "--health-port": process.env.KEELSON_PORT_8080 ?? "0",
  "--metrics-port": process.env.KEELSON_PORT_8888 ?? "0",
};
const { runProgram } = await import("../program.ts");
process.exitCode = await runProgram([...process.argv, ...Object.entries(flags).flat()]);
