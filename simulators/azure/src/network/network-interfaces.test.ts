import assert from "node:assert/strict";
import { test } from "node:test";
import { azureErrorCode } from "@keelson/azure";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

async function withNetwork(addressPrefix = "10.0.0.0/24") {
  const azure = await startTestAzure();
  const { network, resources } = azure.clients;
  const call = azure.clients.call(signal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  const body = {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix }],
  };
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", body, call);
  const subnet = { id: vnet.subnets?.[0]?.id ?? "" };
  const nic = async (name: string, ip: { privateIPAddress?: string } = {}) => {
    const method = ip.privateIPAddress ? { privateIPAllocationMethod: "Static" } : {};
    const configuration = { name: "ip", subnet, ...ip, ...method };
    const made = await network.networkInterfaces.createOrUpdate(
      "g",
      name,
      { location, ipConfigurations: [configuration] },
      call,
    );
    return made.ipConfigurations?.[0]?.privateIPAddress;
  };
  return { azure, call, network, subnet, nic };
}

const code = (wanted: string) => (error: unknown) => azureErrorCode(error) === wanted;

test("addresses start after Azure's reserved ones, are kept by their interface and released with it", async () => {
  const { azure, call, network, nic } = await withNetwork();
  await using _ = azure;
  assert.equal(await nic("a"), "10.0.0.4");
  assert.equal(await nic("b"), "10.0.0.5");
  assert.equal(await nic("a"), "10.0.0.4", "a second write keeps the address");
  await network.networkInterfaces.delete("g", "a", call);
  assert.equal(await nic("c"), "10.0.0.4");
});

test("a full subnet assigns no address", async () => {
  const { azure, nic } = await withNetwork("10.0.0.0/29");
  await using _ = azure;
  assert.deepEqual([await nic("a"), await nic("b"), await nic("c")], ["10.0.0.4", "10.0.0.5", "10.0.0.6"]);
  await assert.rejects(nic("d"), code("SubnetIsFull"));
});

test("a requested address must be free, in the subnet and not reserved by Azure", async () => {
  const { azure, nic } = await withNetwork();
  await using _ = azure;
  assert.equal(await nic("a", { privateIPAddress: "10.0.0.9" }), "10.0.0.9");
  await assert.rejects(nic("b", { privateIPAddress: "10.0.0.9" }), code("PrivateIPAddressIsAllocated"));
  await assert.rejects(nic("b", { privateIPAddress: "10.0.0.3" }), code("PrivateIPAddressInReservedRange"));
  await assert.rejects(nic("b", { privateIPAddress: "10.0.0.255" }), code("PrivateIPAddressInReservedRange"));
  await assert.rejects(nic("b", { privateIPAddress: "10.0.1.9" }), code("PrivateIPAddressNotInSubnet"));
});

test("an interface needs a subnet that exists", async () => {
  const { azure, call, network } = await withNetwork();
  await using _ = azure;
  const put = (ipConfigurations: { name: string; subnet?: { id: string } }[]) =>
    network.networkInterfaces.createOrUpdate("g", "nic", { location, ipConfigurations }, call);
  const group = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network`;
  await assert.rejects(put([]), code("NetworkInterfaceMustHaveSubnet"));
  await assert.rejects(put([{ name: "ip" }]), code("NetworkInterfaceMustHaveSubnet"));
  const absent = { id: `${group}/virtualNetworks/vnet/subnets/absent` };
  await assert.rejects(put([{ name: "ip", subnet: absent }]), code("InvalidResourceReference"));
});

test("a public address is assigned once, names its user, and cannot be deleted in use", async () => {
  const { azure, call, network, subnet } = await withNetwork();
  await using _ = azure;
  const body = { location, sku: { name: "Standard" }, publicIPAllocationMethod: "Static" };
  const one = await network.publicIPAddresses.createOrUpdate("g", "one", body, call);
  const two = await network.publicIPAddresses.createOrUpdate("g", "two", body, call);
  assert.match(one.ipAddress ?? "", /^20\./);
  assert.notEqual(one.ipAddress, two.ipAddress);
  assert.equal(
    (await network.publicIPAddresses.createOrUpdate("g", "one", body, call)).ipAddress,
    one.ipAddress,
  );
  const ipConfigurations = [{ name: "ip", subnet, publicIPAddress: { id: one.id ?? "" } }];
  const nic = await network.networkInterfaces.createOrUpdate(
    "g",
    "nic",
    { location, ipConfigurations },
    call,
  );
  const used = await network.publicIPAddresses.get("g", "one", call);
  assert.equal(used.ipConfiguration?.id, nic.ipConfigurations?.[0]?.id);
  await assert.rejects(
    network.publicIPAddresses.delete("g", "one", call),
    code("PublicIPAddressCannotBeDeleted"),
  );
  await network.networkInterfaces.delete("g", "nic", call);
  await network.publicIPAddresses.delete("g", "one", call);
  await assert.rejects(
    network.publicIPAddresses.createOrUpdate(
      "g",
      "x",
      { ...body, publicIPAllocationMethod: "Dynamic" },
      call,
    ),
    code("StandardSkuPublicIPAddressesMustBeStatic"),
  );
});

test("a load balancer links its entries and lists the machines of its pool", async () => {
  const { azure, call, network, subnet } = await withNetwork();
  await using _ = azure;
  const balancer = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network/loadBalancers/infra-internal`;
  const frontend = { id: `${balancer}/frontendIPConfigurations/internal-lb-ip-v4` };
  const pool = { id: `${balancer}/backendAddressPools/infra` };
  const body = {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "internal-lb-ip-v4", subnet, privateIPAllocationMethod: "Dynamic" }],
    backendAddressPools: [{ name: "infra" }],
    probes: [
      {
        name: "api",
        protocol: "Https",
        port: 6443,
        requestPath: "/readyz",
        intervalInSeconds: 5,
        numberOfProbes: 2,
      },
    ],
    loadBalancingRules: [
      {
        name: "api-internal-v4",
        protocol: "Tcp",
        frontendPort: 6443,
        backendPort: 6443,
        frontendIPConfiguration: frontend,
        backendAddressPool: pool,
        probe: { id: `${balancer}/probes/api` },
      },
    ],
  };
  const made = await network.loadBalancers.createOrUpdate("g", "infra-internal", body, call);
  assert.equal(made.frontendIPConfigurations?.[0]?.privateIPAddress, "10.0.0.4");
  assert.equal(
    made.frontendIPConfigurations?.[0]?.loadBalancingRules?.[0]?.id,
    `${balancer}/loadBalancingRules/api-internal-v4`,
  );
  assert.equal(made.probes?.[0]?.loadBalancingRules?.length, 1);
  for (const part of [made.backendAddressPools, made.probes, made.loadBalancingRules]) {
    assert.equal(part?.[0]?.etag, made.etag);
    assert.equal(part?.[0]?.provisioningState, "Succeeded");
  }
  const loadBalancerBackendAddressPools = [pool];
  const ipConfigurations = [{ name: "ip", subnet, loadBalancerBackendAddressPools }];
  const nic = await network.networkInterfaces.createOrUpdate(
    "g",
    "nic",
    { location, ipConfigurations },
    call,
  );
  assert.equal(
    nic.ipConfigurations?.[0]?.privateIPAddress,
    "10.0.0.5",
    "the frontend has the address before",
  );
  const backend = await network.loadBalancerBackendAddressPools.get("g", "infra-internal", "infra", call);
  assert.deepEqual(
    backend.backendIPConfigurations?.map(({ id }) => id),
    [nic.ipConfigurations?.[0]?.id],
  );

  const again = await network.loadBalancers.createOrUpdate(
    "g",
    "infra-internal",
    await network.loadBalancers.get("g", "infra-internal", call),
    call,
  );
  assert.equal(again.frontendIPConfigurations?.[0]?.privateIPAddress, "10.0.0.4");
  const without = { ...body, loadBalancingRules: [], backendAddressPools: [] };
  await assert.rejects(
    network.loadBalancers.createOrUpdate("g", "infra-internal", without, call),
    code("InUseBackendAddressPoolCannotBeDeleted"),
  );
  const dangling = { ...body, probes: [] };
  await assert.rejects(
    network.loadBalancers.createOrUpdate("g", "infra-internal", dangling, call),
    code("InvalidResourceReference"),
  );
  await network.loadBalancers.delete("g", "infra-internal", call);
  const left = await network.networkInterfaces.get("g", "nic", call);
  assert.deepEqual(left.ipConfigurations?.[0]?.loadBalancerBackendAddressPools, []);
});
