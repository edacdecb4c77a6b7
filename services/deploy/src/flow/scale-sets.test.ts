import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Clock } from "@keelson/base";
import type { MachineHost } from "@keelson/sim-azure";
import { location, startTestAzure, subscriptionId, type TestAzure } from "@keelson/sim-azure/testing";
import { PollingClock } from "../testing/polling-clock.ts";
import { listScaleSets, retireScaleSet, type ScaleSetDeps } from "./scale-sets.ts";
import { awaitHealthy } from "./set-health.ts";

const signal = AbortSignal.timeout(900_000);
const type = "Microsoft.Compute/virtualMachineScaleSets";

/** Simulated logs by machine ID. */
const logs = new Map<string, string>();
/** Simulated responses of `/healthz/ready/write` by machine ID. */
const responses = new Map<string, { readonly status: number; readonly body: string }>();
const machineHost: MachineHost = {
  keep: () => undefined,
  remove: () => undefined,
  isHealthy: () => true,
  isReady: () => true,
  respond: (id, path) =>
    path === "/healthz/ready/write" ? (responses.get(id) ?? { status: 200, body: "{}" }) : assert.fail(path),
  readLog: (id) => logs.get(id) ?? "",
  unitsStopped: async () => undefined,
};

describe("scale sets of the service", () => {
  const stack = new AsyncDisposableStack();
  let azure: TestAzure;
  const call = () => azure.clients.call(signal);
  const deps = (change: Partial<ScaleSetDeps> = {}): ScaleSetDeps => ({
    azure: azure.clients,
    group: "g",
    clock: new PollingClock(),
    signal,
    report: () => {},
    ...change,
  });
  const put = (name: string, capacity = 2) =>
    azure.clients.compute.virtualMachineScaleSets
      .createOrUpdate(
        "g",
        name,
        {
          location,
          sku: { name: "Standard_D2s_v3", capacity },
          automaticRepairsPolicy: { enabled: true },
          virtualMachineProfile: {
            osProfile: { computerNamePrefix: "rp" },
            networkProfile: {
              networkInterfaceConfigurations: [
                {
                  name: "nic",
                  ipConfigurations: [
                    {
                      name: "ip",
                      subnet: {
                        id: `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
                      },
                    },
                  ],
                },
              ],
            },
            extensionProfile: {
              extensions: [{ name: "health", publisher: "p", typePropertiesType: "ApplicationHealthLinux" }],
            },
          },
        },
        call(),
      )
      .pollUntilDone(call());
  const setNamed = async (name: string) => {
    const found = (await listScaleSets(deps(), "rp")).find((each) => each.name === name);
    assert.ok(found, `${name} is there`);
    return found;
  };
  const stop = (name: string, instance: string) =>
    azure.clients.compute.virtualMachineScaleSetVMs
      .runCommand("g", name, instance, { commandId: "RunShellScript", script: ["systemctl stop x"] }, call())
      .pollUntilDone(call());

  before(async () => {
    azure = stack.use(await startTestAzure({ machineHost }));
    await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, call());
    const network = {
      location,
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
    };
    await azure.clients.network.virtualNetworks.createOrUpdate("g", "v", network, call());
  });
  after(() => stack.disposeAsync());

  test("only sets of a role are listed", async () => {
    await put("rp-vmss-1");
    await put("gateway-vmss-1");
    await put("other");
    assert.deepEqual(
      (await listScaleSets(deps(), "rp")).map(({ name }) => name),
      ["rp-vmss-1"],
    );
  });

  test("a set is healthy once each of its machines is, and the wait names those that are not", async () => {
    await put("rp-vmss-2");
    await stop("rp-vmss-2", "1");
    await assert.rejects(awaitHealthy(deps(), "rp-vmss-2", 60_000), {
      code: "UnhealthyScaleSet",
      message:
        "After 60 seconds only 1 of 2 machines of rp-vmss-2 are healthy; not so rp-vmss-2/1 (unhealthy).",
    });
    const states: string[] = [];
    let repair: Promise<unknown> | undefined;
    const report = (text: string) => {
      states.push(text);
      repair ??= azure.clients.compute.virtualMachineScaleSetVMs
        .restart("g", "rp-vmss-2", "1", call())
        .pollUntilDone(call());
    };
    await awaitHealthy(deps({ report }), "rp-vmss-2", 3_600_000);
    await repair;
    assert.equal(states[0], "1 of 2 machines of rp-vmss-2 are healthy");
  });

  test("each machine that becomes healthy restarts the time limit of the wait", async () => {
    await put("rp-vmss-9", 3);
    for (const instance of ["1", "2"]) await stop("rp-vmss-9", instance);
    const polling = new PollingClock();
    /** Instances that become healthy in the poll with this number. */
    const repaired: Readonly<Record<number, string>> = { 4: "1", 8: "2" };
    let polls = 0;
    const clock: Clock = {
      now: () => polling.now(),
      monotonicMs: () => polling.monotonicMs(),
      async sleep(ms, stopped) {
        polls += 1;
        const instance = repaired[polls];
        if (instance !== undefined)
          await azure.clients.compute.virtualMachineScaleSetVMs
            .restart("g", "rp-vmss-9", instance, call())
            .pollUntilDone(call());
        await polling.sleep(ms, stopped);
      },
    };
    await awaitHealthy(deps({ clock }), "rp-vmss-9", 60_000);
    assert.equal(polls, 8);
  });

  test("the message ends with the last log lines of an unhealthy machine", async () => {
    await put("rp-vmss-7");
    await stop("rp-vmss-7", "1");
    const id = `/subscriptions/${subscriptionId}/resourcegroups/g/providers/microsoft.compute/virtualmachinescalesets/rp-vmss-7/virtualmachines/1`;
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    logs.set(id, `${lines.join("\n")}\n\n${"x".repeat(5_000)}\n`);
    await assert.rejects(awaitHealthy(deps(), "rp-vmss-7", 0), (error: Error) => {
      const [first, ...shown] = error.message.split("\n");
      assert.match(String(first), /\(unhealthy\)\. Last lines of the log of rp-vmss-7\/1:$/);
      assert.deepEqual(
        shown.slice(0, -1),
        lines.slice(-9).map((line) => `  ${line}`),
      );
      assert.equal(shown.at(-1)?.length, 402);
      return true;
    });
    azure.change({
      faults: { log: { kind: "refused", type: `${type}/*`, verb: "action", status: 403, code: "Forbidden" } },
    });
    await assert.rejects(awaitHealthy(deps(), "rp-vmss-7", 0), { message: /\(unhealthy\)\.$/ });
    azure.change({ faults: null });
  });

  test("the wait for writes ends when each machine accepts them, and names those that do not", async () => {
    await put("rp-vmss-8");
    const id = `/subscriptions/${subscriptionId}/resourcegroups/g/providers/microsoft.compute/virtualmachinescalesets/rp-vmss-8/virtualmachines/1`;
    responses.set(id, { status: 500, body: '{"error":{}}' });
    await awaitHealthy(deps(), "rp-vmss-8", 0);
    const states: string[] = [];
    await assert.rejects(
      awaitHealthy(deps({ report: (text) => states.push(text) }), "rp-vmss-8", 20_000, { writes: true }),
      {
        code: "UnhealthyScaleSet",
        message: /not so rp-vmss-8\/1 \(not ready for writes: 500 {"error":{}}\)/,
      },
    );
    responses.delete(id);
    await awaitHealthy(deps(), "rp-vmss-8", 0, { writes: true });
    azure.change({
      faults: { run: { kind: "refused", type: `${type}/*`, verb: "action", status: 403, code: "Forbidden" } },
    });
    await assert.rejects(
      awaitHealthy(deps(), "rp-vmss-8", 0, { writes: true }),
      /readiness for writes is unknown/,
    );
    azure.change({ faults: null });
  });

  test("a temporary read failure does not end the wait", async () => {
    await put("rp-vmss-3");
    azure.change({
      faults: { look: { kind: "refused", type, verb: "read", status: 404, code: "NotFound", count: 2 } },
    });
    await awaitHealthy(deps(), "rp-vmss-3", 3_600_000);
    azure.change({
      faults: { look: { kind: "refused", type, verb: "read", status: 403, code: "AuthorizationFailed" } },
    });
    await assert.rejects(awaitHealthy(deps(), "rp-vmss-3", 3_600_000), { statusCode: 403 });
    azure.change({ faults: null });
  });

  test("before a set is deleted, repairs are disabled and its service is stopped", async () => {
    await put("rp-vmss-4");
    azure.change({
      faults: { kept: { kind: "refused", type, verb: "delete", status: 400, code: "Kept", count: 1 } },
    });
    await assert.rejects(retireScaleSet(deps(), await setNamed("rp-vmss-4"), 60_001), { code: "Kept" });
    const { virtualMachineScaleSets, virtualMachineScaleSetVMs } = azure.clients.compute;
    const set = await virtualMachineScaleSets.get("g", "rp-vmss-4", call());
    assert.equal(set.automaticRepairsPolicy?.enabled, false);
    for (const instance of ["0", "1"]) {
      const view = await virtualMachineScaleSetVMs.getInstanceView("g", "rp-vmss-4", instance, call());
      assert.equal(view.vmHealth?.status?.code, "HealthState/unhealthy");
    }
    await retireScaleSet(deps(), await setNamed("rp-vmss-4"), 60_001);
    assert.deepEqual(
      (await listScaleSets(deps(), "rp")).filter(({ name }) => name === "rp-vmss-4"),
      [],
    );
  });

  test("a set is deleted even if its machines do not stop in time, and that is reported", async () => {
    const command = `${type}/virtualMachines*`;
    const overdue: Clock = {
      now: () => new Date(),
      monotonicMs: () => 0,
      sleep: () => new Promise((resolve) => setTimeout(resolve, 50)),
    };
    for (const [name, fault, clock, told] of [
      [
        "rp-vmss-5",
        { kind: "slow", type: command, verb: "action", delayMs: 60_000 },
        overdue,
        "its time is over",
      ],
      [
        "rp-vmss-6",
        { kind: "refused", type: command, verb: "action", status: 409, code: "Off", message: "it is off" },
        new PollingClock(),
        "it is off",
      ],
    ] as const) {
      await put(name, 1);
      const set = await setNamed(name);
      azure.change({ faults: { slow: fault } });
      const states: string[] = [];
      await retireScaleSet(deps({ clock, report: (text) => states.push(text) }), set, 1_800_000);
      azure.change({ faults: null });
      assert.ok(
        states.some((each) => each.startsWith(`${name} was not drained: `) && each.includes(told)),
        states.join("\n"),
      );
      assert.deepEqual(
        (await listScaleSets(deps(), "rp")).filter((each) => each.name === name),
        [],
      );
    }
  });
});
