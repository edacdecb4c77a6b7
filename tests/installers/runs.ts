import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program } from "../e2e/support/program.ts";
import { WorldClient } from "../e2e/support/world-client.ts";
import { azureFailures } from "./failures.ts";
import { type CaseResult, type InstallCase, type InstallWorld, runCase } from "./install-case.ts";
import { RecordedInstaller } from "./recorded-output.ts";
import { startApiServerRelay } from "./relay.ts";

export interface Run {
  /** Parent directory of the state directories. */
  readonly directory: string;
  readonly installer: string;
  /** True if the case with this name runs. */
  readonly includes: (name: string) => boolean;
  readonly onResult: (result: CaseResult) => void;
  readonly signal: AbortSignal;
}

export const clustersPort = 16_443;
export const worldFlags = ["--clusters-port", String(clustersPort), "--operators", "shared"];

const firstCase = "production, service principal";

/** Creates the directory of a run. The directory is not below /tmp, because each installer has a private /tmp. */
export function createStateDirectory(): string {
  return mkdtempSync("/var/tmp/keelson-installers-");
}

export function removeStateDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Runs the installer with `keelson up` in production mode. If the run includes the first case, returns the differences between
 * the installer's files and the golden file.
 */
export async function runInProduction(run: Run): Promise<readonly string[]> {
  const directory = join(run.directory, "up");
  const cases = includedCases(run, [
    { name: firstCase, cluster: "prod-sp", identities: false },
    { name: "production, managed identities", cluster: "prod-mi", identities: true },
    ...azureFailures,
  ]);
  if (cases.length === 0) return [];
  const recorded = new RecordedInstaller(run.directory, run.installer, directory);
  const flags = [
    "--state",
    directory,
    "--no-cluster",
    ...subnets(cases),
    "--aro-installer",
    recorded.program,
  ];
  await using stack = new AsyncDisposableStack();
  const program = stack.use(Program.start("up", ...worldFlags, ...flags));
  stack.defer(async () => void (await program.signal("SIGTERM")));
  await program.says(/endpoints/);
  stack.use(await startApiServerRelay(clustersPort));
  const serviceFile = join(directory, "service.json");
  await runCases(stack, directory, { serviceFile, cases }, run);
  if (cases[0]?.name !== firstCase) return [];
  return recorded.differences(readFileSync(join(directory, "aro-installer-graph.key"), "utf8"));
}

/** Runs the installer with service configurations that `keelson up` does not support. */
export async function runWithConfigurations(run: Run): Promise<void> {
  const directory = join(run.directory, "sim");
  const development = [
    { name: "development, service principal", cluster: "dev-sp", identities: false },
    { name: "development, managed identities", cluster: "dev-mi", identities: true },
  ];
  const noNames = [
    {
      name: "production, no DNS",
      cluster: "dns",
      identities: false,
      failure: { code: "InternalServerError", text: /lookup proxy\.invalid/ },
    },
  ];
  const configurations = [
    { name: "development", cases: development, change: developmentMode },
    { name: "no-names", cases: noNames, change: withoutNames },
  ].map((each) => ({ ...each, cases: includedCases(run, each.cases) }));
  if (configurations.every(({ cases }) => cases.length === 0)) return;
  await using stack = new AsyncDisposableStack();
  const flags = ["--state", directory, ...subnets([...development, ...noNames])];
  const sim = stack.use(Program.start("sim", ...worldFlags, ...flags, "--aro-installer", run.installer));
  stack.defer(async () => void (await sim.signal("SIGTERM")));
  await sim.says(/"arm"/);
  stack.use(await startApiServerRelay(clustersPort));
  stack.use(await startDevelopmentProxy(directory));
  for (const { name, cases, change } of configurations) {
    if (cases.length === 0) continue;
    const serviceFile = join(directory, `${name}.json`);
    writeFileSync(serviceFile, JSON.stringify(change(readConfig(directory), directory)), { mode: 0o600 });
    await using own = new AsyncDisposableStack();
    const rp = own.use(Program.start("rp", "--config", serviceFile, "--with-maintenance"));
    own.defer(async () => void (await rp.signal("SIGTERM")));
    await rp.says(/"rp"/);
    await runCases(own, directory, { serviceFile, cases }, run);
  }
}

/** Returns the cases that the run selects by name. */
export function includedCases(run: Run, cases: readonly InstallCase[]): readonly InstallCase[] {
  return cases.filter(({ name }) => run.includes(name));
}

interface Cases extends Pick<InstallWorld, "serviceFile" | "forgotten"> {
  readonly cases: readonly InstallCase[];
}

/** Runs cases sequentially on one service. */
export async function runCases(
  stack: AsyncDisposableStack,
  directory: string,
  { cases, ...places }: Cases,
  { onResult, signal }: Run,
): Promise<void> {
  const arm = stack.use(new ArmClient(join(directory, "endpoints.json")));
  const azure = stack.use(new WorldClient(directory));
  await arm.registerSubscription();
  for (const each of cases) onResult(await runCase({ arm, azure, signal, ...places }, each));
}

export function subnets(cases: readonly InstallCase[]): readonly string[] {
  return cases.flatMap(({ cluster }) => ["--subnets-for", cluster]);
}

// biome-ignore lint/suspicious/noExplicitAny: the configuration of the service
type Config = any;

function readConfig(directory: string): Config {
  return JSON.parse(readFileSync(join(directory, "service.json"), "utf8"));
}

/** Host name of the proxy. The installer connects to it at port 443. */
const proxyHostName = "localhost";

/** Starts `keelson proxy` with new certificates. */
async function startDevelopmentProxy(directory: string): Promise<AsyncDisposable> {
  for (const args of [["proxy"], ["--client", "proxy-client"]]) {
    const { code, stderr } = await Program.runIn(directory, "genkey", ...args);
    if (code !== 0) throw new Error(`keelson genkey: ${stderr}`);
  }
  const file = (name: string) => join(directory, name);
  const proxy = Program.start(
    ...["proxy", "--port", "443", "--health-port", "0"],
    ...["--cert-file", file("proxy.pem"), "--key-file", file("proxy.pem")],
    ...["--client-cert-file", file("proxy-client.pem")],
  );
  await proxy.says(/"port"/);
  return proxy;
}

function developmentMode(config: Config, directory: string): Config {
  const { installer, firstParty, tenantId, subscriptionId, resourceGroup, location } = config;
  const environment = {
    ...installer.environment,
    RP_MODE: "development",
    PROXY_HOSTNAME: proxyHostName,
    LOCATION: location,
    RESOURCEGROUP: resourceGroup,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_TENANT_ID: tenantId,
    AZURE_RP_CLIENT_ID: firstParty.clientId,
    AZURE_RP_CLIENT_SECRET: firstParty.clientSecret,
  };
  const developmentProxy = {
    certificateFile: join(directory, "proxy.crt"),
    clientCertificateFile: join(directory, "proxy-client.crt"),
    clientKeyFile: join(directory, "proxy-client.key"),
  };
  return { ...config, installer: { ...installer, environment, developmentProxy } };
}

/** Returns a configuration with Azure host names below `.invalid`. These names never resolve. */
function withoutNames(config: Config): Config {
  const { installer } = config;
  const proxy = "http://proxy.invalid:8080";
  // Sets HTTP_PROXY too because the installer's first request goes to the instance metadata service over plain HTTP.
  const processEnvironment = { ...installer.processEnvironment, HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  return { ...config, installer: { ...installer, processEnvironment } };
}
