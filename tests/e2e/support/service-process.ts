import { ArmClient } from "./arm-client.ts";
import { Program } from "./program.ts";

/** Resource provider process with its own client. */
export interface Provider extends AsyncDisposable {
  readonly program: Program;
  readonly client: ArmClient;
}

export interface ProviderOptions {
  /** Path of the configuration file. Flags override it. */
  readonly config: string;
  readonly flags?: readonly string[];
  readonly endpoints: string;
  /** `main.ts` of an earlier version. */
  readonly script?: string | undefined;
  /** Options of Node.js. Default: the options of `Program.start`. */
  readonly nodeOptions?: readonly string[] | undefined;
}

/** Starts a resource provider process on a free port and registers the subscription. Disposal of `stack` stops the process. */
export async function startProvider(
  stack: AsyncDisposableStack,
  { config, flags = [], endpoints, script, nodeOptions }: ProviderOptions,
): Promise<Provider> {
  const args = ["rp", "--config", config, ...flags, "--port", "0", "--metrics-port", "0"];
  const program = stack.use(
    script === undefined ? Program.startUnder(nodeOptions, ...args) : Program.startOf(script, ...args),
  );
  const { rp }: { rp: string } = JSON.parse(await program.says(/"rp"/));
  const client = stack.use(new ArmClient(endpoints, rp));
  await client.registerSubscription();
  return {
    program,
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await program[Symbol.asyncDispose]();
    },
  };
}
