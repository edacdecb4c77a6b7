/**
 * Program of a simulated operator pod in a separate process. It runs the same command as the image. The container's environment
 * is received as data and is never copied to the process environment.
 */
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import process from "node:process";
import type { ContainerStart } from "@keelson/sim-openshift";
import { compileCache } from "../../process/compile-cache.ts";
import { useProgramEnvironment } from "../../process/program-environment.ts";
import { operatorCommand } from "../operator-commands.ts";
import { operatorPod } from "../operator-pod.ts";

enableCompileCache(compileCache);
const received = once(process, "message");
// KUBECONFIG would become the default of --kubeconfig, which conflicts with --server.
delete process.env.KUBECONFIG;
const { runProgram } = await import("../../program.ts");
const { failureText } = await import("../../output/failure-text.ts");
const [start]: ContainerStart[] = await received;
process.disconnect();
const args = process.argv.slice(2);
try {
  const pod = await operatorPod(start?.environment ?? {});
  useProgramEnvironment(pod.environment);
  const { flags } = operatorCommand(args);
  process.exitCode = await runProgram([...process.argv.slice(0, 2), ...args, ...flags(pod, args.slice(1))]);
} catch (error) {
  process.stderr.write(`keelson: ${failureText(error)}\n`);
  process.exitCode = 2;
}
