import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { errors } from "../../base/errors.ts";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import { exampleSettings } from "../../testing/example-cluster.ts";
import { exampleMachine } from "../../testing/fake-hypervisor.ts";
import { failureOf } from "./failure.ts";
import { machineFinalizer, planMachine } from "./plan.ts";
import { parseProviderSpec } from "./provider-spec.ts";
import { instanceStatus, withInstance } from "./status.ts";

const name = "demo-x7k2p-worker-eastus1-abcde";
const now = new Date("2026-01-01T00:00:00Z");
const vm: ObservedMachine = { ...exampleMachine(name), runningSince: now };
const node: KubeObject = { apiVersion: "v1", kind: "Node", metadata: { name, uid: "node-uid" } };

const machine = (phase: string | undefined, metadata: Partial<KubeObject["metadata"]> = {}): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "Machine",
  metadata: { name, namespace: "openshift-machine-api", finalizers: [machineFinalizer], ...metadata },
  spec: { providerSpec: { value: { vmSize: "Standard_D4s_v3" } } },
  ...(phase ? { status: { phase } } : {}),
});

const drained = (object: KubeObject): KubeObject => ({
  ...object,
  status: { phase: "Deleting", conditions: [{ type: "Drained", status: "True" }] },
});

const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };

const rows: readonly {
  readonly name: string;
  readonly machine: KubeObject;
  readonly vm?: ObservedMachine;
  readonly node?: KubeObject;
  readonly expected: object;
}[] = [
  {
    name: "without finalizer is adopted",
    machine: machine(undefined, { finalizers: [] }),
    expected: { kind: "adopt" },
  },
  { name: "new", machine: machine(undefined), expected: { kind: "set-phase", phase: "Provisioning" } },
  { name: "provisioning", machine: machine("Provisioning"), expected: { kind: "create-instance" } },
  {
    name: "with an instance in creation waits",
    machine: machine("Provisioning"),
    vm: { ...vm, provisioningState: "Creating" },
    expected: { kind: "none" },
  },
  {
    name: "with an instance",
    machine: machine("Provisioning"),
    vm,
    expected: { kind: "report", phase: "Provisioned", vm },
  },
  {
    name: "with a node",
    machine: machine("Provisioned"),
    vm,
    node,
    expected: { kind: "report", phase: "Running", vm },
  },
  {
    name: "with an unreported instance is checked in Azure",
    machine: machine("Running"),
    node,
    expected: { kind: "confirm-loss" },
  },
  { name: "that failed stays failed", machine: machine("Failed"), vm, node, expected: { kind: "none" } },
  {
    name: "being deleted enters the phase Deleting",
    machine: machine("Running", deleted),
    vm,
    expected: { kind: "set-phase", phase: "Deleting" },
  },
  {
    name: "deleting drains its node",
    machine: machine("Deleting", deleted),
    vm,
    node,
    expected: { kind: "drain" },
  },
  {
    name: "drained is deleted with its instance",
    machine: drained(machine("Deleting", deleted)),
    vm,
    node,
    expected: { kind: "delete-instance" },
  },
  {
    name: "drained waits for its hooks",
    machine: drained({
      ...machine("Deleting", deleted),
      spec: { lifecycleHooks: { preTerminate: [{ name: "backup", owner: "storage" }] } },
    }),
    vm,
    node,
    expected: { kind: "none" },
  },
  {
    name: "deleted without finalizer is not changed",
    machine: machine("Deleting", { ...deleted, finalizers: ["other"] }),
    expected: { kind: "none" },
  },
];

for (const row of rows)
  test(`a Machine ${row.name}`, () =>
    assert.deepEqual(planMachine({ machine: row.machine, vm: row.vm, node: row.node }), row.expected));

test("observations of the instance are written once", () => {
  const learnt = withInstance(machine("Provisioned"), vm, "1");
  assert.equal(learnt.metadata.labels?.["machine.openshift.io/zone"], "1");
  assert.equal(withInstance(learnt, vm, "1"), learnt);
  const reported = { ...learnt, status: instanceStatus(learnt, "Running", vm, node, now) };
  const later = new Date(now.getTime() + 60_000);
  assert.deepEqual(instanceStatus(reported, "Running", vm, node, later), reported.status);
});

test("the provider specification wins over the platform, which fills its gaps", () => {
  const settings = exampleSettings({ openShiftVersion: "4.18.3" });
  const spec = parseProviderSpec(machine(undefined), settings);
  assert.equal(spec.subnet, "worker-subnet");
  assert.equal(spec.resourceGroup, "aro-demo");
  const value = { vmSize: "Standard_D2s_v3", subnet: "other", zone: "3", osDisk: { diskSizeGB: 256 } };
  const own = parseProviderSpec({ ...machine(undefined), spec: { providerSpec: { value } } }, settings);
  assert.deepEqual([own.subnet, own.zone, own.osDisk.sizeGB], ["other", "3", 256]);
  const release = { publisher: "azureopenshift", offer: "aro4", sku: "aro_418", version: "latest" };
  assert.deepEqual(own.image, release);
  const images: readonly (readonly [object, object])[] = [
    [{ sku: "aro_417" }, { ...release, sku: "aro_417" }],
    [{ resourceID: "/images/mine", sku: "x" }, { id: "/images/mine" }],
  ];
  for (const [image, expected] of images) {
    const asked = { ...machine(undefined), spec: { providerSpec: { value: { ...value, image } } } };
    assert.deepEqual(parseProviderSpec(asked, settings).image, expected);
  }
});

const armError = (statusCode: number, code: string) =>
  Object.assign(new Error(code), { statusCode, details: { error: { code, message: `${code} happened` } } });

const failures: readonly {
  readonly name: string;
  readonly error: unknown;
  readonly reason: string | undefined;
}[] = [
  { name: "an exhausted quota", error: armError(409, "QuotaExceeded"), reason: "InsufficientResources" },
  { name: "a size not offered", error: armError(409, "SkuNotAvailable"), reason: "InsufficientResources" },
  { name: "a bad request", error: armError(400, "InvalidParameter"), reason: "InvalidConfiguration" },
  { name: "a missing size", error: errors.InvalidMachineConfiguration("x"), reason: "InvalidConfiguration" },
  {
    name: "rejected credentials",
    error: Object.assign(new Error("AADSTS7000215: Invalid client secret."), { statusCode: 400 }),
    reason: undefined,
  },
  { name: "missing rights", error: armError(403, "AuthorizationFailed"), reason: undefined },
  { name: "a server error", error: armError(500, "InternalServerError"), reason: undefined },
  { name: "a lost connection", error: new Error("ECONNRESET"), reason: undefined },
];

for (const { name: title, error, reason } of failures)
  test(`${title} ${reason ? `fails the Machine: ${reason}` : "is retried"}`, () => {
    assert.equal(failureOf(error)?.reason, reason);
  });
