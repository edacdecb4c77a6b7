/** The program of a simulated pod of the operator, as a process of its own: it runs the same command as the image. */
import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { operatorPod } from "./operator-pod.ts";

enableCompileCache(fileURLToPath(new URL("../../../../.tools/compile-cache", import.meta.url)));
const pod = operatorPod(process.env);
delete process.env.KUBECONFIG;
Object.assign(process.env, pod.environment);
const flags = {
  "--server": pod.server,
  "--service-account": pod.serviceAccount,
  "--host": "127.0.0.1",
  "--health-port": `${pod.healthPort}`,
  "--metrics-port": `${pod.metricsPort}`,
};
const { runProgram } = await import("../program.ts");
process.exitCode = await runProgram([...process.argv, ...Object.entries(flags).flat()]);
