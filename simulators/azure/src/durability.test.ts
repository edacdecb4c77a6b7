import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type AzureClients, azureErrorCode } from "@keelson/azure";
import { openState } from "./open-state.ts";
import {
  clientSecret,
  connectTo,
  localCertificates,
  location,
  startTestAzure,
} from "./testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "sim-azure-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Creates a group with a network, a network interface and a machine. Does not wait for the machine's creation to complete. */
async function beginMachine(clients: AzureClients, index = 0): Promise<string> {
  const call = clients.call(signal);
  await clients.resources.resourceGroups.createOrUpdate("g", { location }, call);
  const subnets = [{ name: "s", addressPrefix: "10.0.0.0/24" }];
  const network = { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets };
  const vnet = await clients.network.virtualNetworks.createOrUpdate("g", "vnet", network, call);
  const ipConfigurations = [{ name: "ip", subnet: { id: vnet.subnets?.[0]?.id ?? "" } }];
  const nic = await clients.network.networkInterfaces.createOrUpdate(
    "g",
    `nic${index}`,
    { location, ipConfigurations },
    call,
  );
  const machine = {
    location,
    hardwareProfile: { vmSize: "Standard_D8s_v5" },
    networkProfile: { networkInterfaces: [{ id: nic.id ?? "" }] },
  };
  await clients.compute.virtualMachines.createOrUpdate("g", `vm${index}`, machine, call).submitted();
  return nic.ipConfigurations?.[0]?.privateIPAddress ?? "";
}

test("a restart preserves the subscription, its tokens and its operations", async () => {
  await using directory = await temporaryDirectory();
  const state = { kind: "file", path: join(directory.path, "azure.db") } as const;
  const token = await (async () => {
    await using azure = await startTestAzure({ state, timings: { vmCreateMs: 300 } });
    assert.equal(await beginMachine(azure.clients), "10.0.0.4");
    return await azure.clients.getToken(signal);
  })();
  await using azure = await startTestAzure({ state });
  const path = "/subscriptions?api-version=2022-12-01";
  assert.equal((await azure.raw(path, { headers: { authorization: `Bearer ${token}` } })).status, 200);
  const call = azure.clients.call(signal);
  const machine = () => azure.clients.compute.virtualMachines.get("g", "vm0", call);
  while ((await machine()).provisioningState !== "Succeeded") await delay(20, undefined, { signal });
  assert.equal(await beginMachine(azure.clients, 1), "10.0.0.5", "addresses given before are still given");
});

test("a state that was loaded in advance starts no operation until the start, which then resumes all operations", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "azure.db");
  {
    await using azure = await startTestAzure({ state: { kind: "file", path }, timings: { vmCreateMs: 300 } });
    await beginMachine(azure.clients);
  }
  await using opened = await openState(path);
  await using azure = await startTestAzure({ state: { kind: "opened", opened } });
  const { virtualMachines } = azure.clients.compute;
  const provisioned = async () =>
    (await virtualMachines.get("g", "vm0", azure.clients.call(signal))).provisioningState;
  while ((await provisioned()) !== "Succeeded") await delay(20);
});

test("only its owner may read the subscription", async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "azure.db");
  await using _ = await startTestAzure({ state: { kind: "file", path } });
  const files = await readdir(directory.path);
  assert.ok(files.includes("azure.db"));
  for (const file of files) {
    assert.equal((await stat(join(directory.path, file))).mode & 0o077, 0, file);
  }
});

test("one process at a time has the subscription open", async () => {
  await using directory = await temporaryDirectory();
  const state = { kind: "file", path: join(directory.path, "azure.db") } as const;
  await using _ = await startTestAzure({ state });
  await assert.rejects(startTestAzure({ state }), /locked/);
});

/** Starts the simulator in a separate process. Resolves with the URL of the simulator when it accepts connections. */
async function startProcess(
  directory: string,
): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const script = join(directory, "main.ts");
  const { tls } = await localCertificates();
  const modules = {
    base: import.meta.resolve("@keelson/base"),
    sim: import.meta.resolve("./simulated-azure.ts"),
    testing: import.meta.resolve("./testing/test-azure.ts"),
  };
  await writeFile(
    script,
    `import { Secret, silentLogger, systemClock } from ${JSON.stringify(modules.base)};
     import { startSimulatedAzure } from ${JSON.stringify(modules.sim)};
     import { clientId, location, operatorRoles, subscriptionId, tenantId } from ${JSON.stringify(modules.testing)};
     const azure = await startSimulatedAzure({
       host: "127.0.0.1", port: 0, tls: ${JSON.stringify(tls)},
       state: { kind: "file", path: ${JSON.stringify(join(directory, "azure.db"))} },
       tenantId, subscriptionId, locations: [location], adminToken: new Secret("admin"),
       principals: [{ clientId, clientSecret: new Secret(${JSON.stringify(clientSecret.reveal())}), displayName: "test", roles: operatorRoles }],
       timings: { vmCreateMs: 250 }, clock: systemClock, logger: silentLogger,
     });
     console.log(azure.url);`,
  );
  const process_ = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: process_.stdout });
  const [url] = await once(lines, "line", { signal });
  return { process: process_, url: String(url) };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("kill -9 during creations loses no acknowledged operation", async () => {
  await using directory = await temporaryDirectory();
  const { caPem } = await localCertificates();
  const addresses: string[] = [];
  for (const index of [0, 1, 2]) {
    const { process: child, url } = await startProcess(directory.path);
    try {
      addresses.push(await beginMachine(connectTo(url, caPem), index));
    } finally {
      await kill(child);
    }
  }
  assert.deepEqual(addresses, ["10.0.0.4", "10.0.0.5", "10.0.0.6"]);
  const { process: child, url } = await startProcess(directory.path);
  try {
    const clients = connectTo(url, caPem);
    const call = clients.call(signal);
    for (const name of ["vm0", "vm1", "vm2"]) {
      const machine = () => clients.compute.virtualMachines.get("g", name, call);
      while ((await machine()).provisioningState !== "Succeeded") await delay(20, undefined, { signal });
    }
    await assert.rejects(
      clients.network.networkInterfaces.delete("g", "nic2", call),
      (error) => azureErrorCode(error) === "NicInUse",
    );
  } finally {
    await kill(child);
  }
});
