/** The program of a simulated pod of an operator, as a process of its own: it runs the same command as the image. */
import { enableCompileCache } from "node:module";
import process from "node:process";
import { compileCache } from "../compile-cache.ts";
import { commandLine, operatorCommand } from "./operator-commands.ts";
import { operatorPod } from "./operator-pod.ts";

enableCompileCache(compileCache);
const pod = operatorPod(process.env);
delete process.env.KUBECONFIG;
Object.assign(process.env, pod.environment);
const { runProgram } = await import("../program.ts");
const { failureText } = await import("../failure-text.ts");
const args = commandLine(process.env.KEELSON_PROGRAM, process.argv.slice(2));
try {
  const { flags } = operatorCommand(args);
  process.exitCode = await runProgram([...process.argv.slice(0, 2), ...args, ...flags(pod, args.slice(1))]);
} catch (error) {
  process.stderr.write(`keelson: ${failureText(error)}\n`);
  process.exitCode = 2;
}
