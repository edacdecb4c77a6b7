import process from "node:process";
import { runStaticPodCommand } from "./run.ts";

// The programs of installer and pruner pods, started by the kubelet with what they may see in their environment.
process.exitCode = await runStaticPodCommand(process.argv.slice(2), process.env);
