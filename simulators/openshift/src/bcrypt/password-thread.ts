/** Worker thread for bcrypt hashes. Each hash needs tens of milliseconds of CPU time. */
import { parentPort } from "node:worker_threads";
import { bcrypt, bcryptVerify } from "hash-wasm";

export type PasswordTask =
  | { readonly kind: "hash"; readonly password: string; readonly salt: Uint8Array }
  | { readonly kind: "compare"; readonly password: string; readonly hash: string };

/** Cost factor: the base-2 logarithm of the number of rounds. Installers use the same value. */
const costFactor = 10;

parentPort?.on("message", async (task: PasswordTask) => {
  parentPort?.postMessage(await run(task));
});

function run(task: PasswordTask): Promise<string | boolean> {
  const { password } = task;
  if (task.kind === "compare") return bcryptVerify({ password, hash: task.hash });
  return bcrypt({ password, salt: task.salt, costFactor, outputType: "encoded" });
}
