import { Secret } from "@keelson/base";
import { startConsole } from "@keelson/sim-console";
import type { ComponentDeps } from "../../supervisor/run-component.ts";
import { consoleFacts, consoleUserAgent } from "../console/console-facts.ts";
import { type InstanceState, readInstanceState } from "../open-state.ts";
import { startAzure } from "../start-azure.ts";

/**
 * Starts the simulated Azure and the console of the simulated world. The console shows the requests that this process receives.
 */
export async function startAzureComponent({
  settings,
  report,
  ...deps
}: ComponentDeps): Promise<AsyncDisposable> {
  report("starting the simulated Azure");
  const { clusterAddresses = false, without } = settings;
  const state = await readInstanceState(settings.directory);
  const hasConsole = !without.includes("console");
  await using stack = new AsyncDisposableStack();
  const logging = hasConsole ? { logReader: consoleUserAgent } : {};
  const azure = stack.use(await startAzure({ ...state, ...deps, clusterAddresses, ...logging }));
  if (hasConsole) {
    const resources = stack.use(new AsyncDisposableStack());
    stack.use(
      await startConsole({
        ...listenerOf(state),
        facts: consoleFacts(state, { hasPortal: !without.includes("portal") }),
        async connect() {
          const { connectWorld } = await import("../console/connect-world.ts");
          return resources.use(await connectWorld(state, azure));
        },
        clock: deps.clock,
        logger: deps.logger.child({ component: "console" }),
      }),
    );
  }
  return stack.move();
}

function listenerOf({ identity, local, ports }: InstanceState) {
  return {
    host: "127.0.0.1",
    port: ports.console,
    tls: local.serving,
    controlToken: new Secret(identity.adminToken),
  } as const;
}
