import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isCoded, opensshPublicKey, Secret } from "@keelson/base";
import {
  gatewayHosts,
  parseRoleConfig,
  parseServiceConfig,
  portalAccessOf,
  portalSshServerOf,
  readGatewayConfig,
} from "@keelson/env";
import { parse } from "yaml";
import type { Region } from "../config/configuration.ts";
import { parseHostSettings, prepareHost } from "../host/prepare-host.ts";
import { type DeployWorld, startDeployWorld, subscriptionId } from "../testing/deploy-world.ts";
import { exampleConfiguration } from "../testing/example-region.ts";
import type { Progress } from "./context.ts";
import { deploy } from "./deploy.ts";
import { whatIf } from "./what-if.ts";

const signal = AbortSignal.timeout(900_000);
const minute = 60_000;
const day = 1_440 * minute;

const readers = "7e4d1f0e-4b6c-4a53-9c1f-0b3a2f6d9e01";
const administrators = "7e4d1f0e-4b6c-4a53-9c1f-0b3a2f6d9e02";

/** Expected resources of a region with a gateway, as the ARM API lists them. */
const inventoryOf = (rpSets: readonly string[], gatewaySets: readonly string[]) =>
  [
    "subscription: Insights/actionGroups/rp-health-ag",
    "global: ContainerRegistry/registries/keelsonimages",
    "global: ContainerRegistry/registries/replications/eastus",
    "global: Network/dnsZones/clusters.example.com",
    "global: Network/dnsZones/rp.example.com",
    "global: Storage/storageAccounts/keelsonversions",
    "gateway-eastus: ManagedIdentity/userAssignedIdentities/aro-gateway-eastus",
    "gateway-eastus: Network/loadBalancers/gateway-lb-internal",
    "gateway-eastus: Network/networkSecurityGroups/gateway-nsg",
    "gateway-eastus: Network/privateLinkServices/gateway-pls-001",
    "gateway-eastus: Network/virtualNetworks/gateway-vnet",
    "rp-eastus: DocumentDB/databaseAccounts/keelson-documents",
    "rp-eastus: Insights/metricAlerts/rp-availability-alert-eastus",
    "rp-eastus: Insights/metricAlerts/rp-cosmosdb-alert-eastus",
    "rp-eastus: Insights/metricAlerts/rp-degraded-alert-eastus",
    "rp-eastus: Insights/metricAlerts/rp-vnet-alert-eastus",
    "rp-eastus: KeyVault/vaults/keelson-eus-cls",
    "rp-eastus: KeyVault/vaults/keelson-eus-svc",
    "rp-eastus: ManagedIdentity/userAssignedIdentities/aro-rp-eastus",
    "rp-eastus: Network/dnsZones/eastus.clusters.example.com",
    "rp-eastus: Network/loadBalancers/rp-lb",
    "rp-eastus: Network/networkSecurityGroups/rp-nsg",
    "rp-eastus: Network/networkSecurityGroups/rp-pe-nsg",
    "rp-eastus: Network/publicIPAddresses/portal-pip",
    "rp-eastus: Network/publicIPAddresses/rp-pip",
    "rp-eastus: Network/virtualNetworks/rp-pe-vnet-001",
    "rp-eastus: Network/virtualNetworks/rp-vnet",
    "rp-eastus: Storage/storageAccounts/keelsonoidc",
    ...rpSets.map((version) => `rp-eastus: Compute/virtualMachineScaleSets/rp-vmss-${version}`),
    ...gatewaySets.flatMap((version) => [
      `gateway-eastus: Compute/virtualMachineScaleSets/gateway-vmss-${version}`,
      `gateway-eastus: Insights/autoscaleSettings/gateway-vmss-${version}-autoscale`,
    ]),
  ].toSorted();

interface NetworkAcls {
  readonly bypass: string;
  readonly defaultAction: string;
  readonly ipRules: readonly { readonly value: string }[];
  readonly virtualNetworkRules: readonly { readonly id: string }[];
}

describe("a region of the service on the simulated Azure", () => {
  const stack = new AsyncDisposableStack();
  let world: DeployWorld;
  let region: Region;
  const code = async (run: Promise<unknown>) =>
    run.then(
      () => "none",
      (error: unknown) => (isCoded(error) ? error.code : String(error)),
    );
  before(async () => {
    world = stack.use(await startDeployWorld());
    region = world.region(
      { gatewayResourceGroupName: "gateway-eastus" },
      {
        gateway: { domains: ["*.monitor.example.com"] },
        portalClientId: "b7b3ac51-6b0f-4ff4-9ba5-38a9d7f4e8a7",
        portalAccessGroupIds: [readers],
        portalElevatedGroupIds: [administrators],
        rpNsgPortalSourceAddressPrefixes: ["192.0.2.0/24", "CorpNetPublic"],
        keyvaultAllowedAddresses: ["192.0.2.7", "198.51.100.0/24"],
      },
    );
  });
  after(() => stack.disposeAsync());

  test("the first run requires the operator's secrets, and the second one creates the region", async () => {
    await assert.rejects(deploy(world.context(region, "v1")), (error) => {
      assert.ok(isCoded(error, "MissingSecrets"), String(error));
      assert.match(
        error.message,
        /keelson-eus-svc lacks .*rp-server.*rp-firstparty.*portal-server, the certificate of the portal's address eastus\.admin\.rp\.example\.com.*portal-client/s,
      );
      return true;
    });
    await world.giveSecrets(region);
    const progress: Progress[] = [];
    const deployed = await deploy(world.context(region, "v1", { onProgress: (each) => progress.push(each) }));
    assert.deepEqual(deployed, {
      location: "eastus",
      version: "v1",
      scaleSets: ["rp-vmss-v1", "gateway-vmss-v1"],
      url: "https://rp.eastus.rp.example.com",
      portal: "https://eastus.admin.rp.example.com",
    });
    assert.deepEqual(await world.inventory(), inventoryOf(["v1"], ["v1"]));
    assert.equal(await world.published(region), "v1");
    const facts = progress.filter(({ kind }) => kind === "fact").map(({ text }) => text);
    for (const fact of ["rp-vmss-v1 is healthy", "gateway-vmss-v1 is healthy", "eastus has v1"]) {
      assert.ok(facts.includes(fact), fact);
    }
  });

  test("the region's vaults are reached from its network and the configured addresses only", async () => {
    for (const vault of ["keelson-eus-svc", "keelson-eus-cls"])
      assert.deepEqual(await networkAclsOf("rp-eastus", vault), {
        bypass: "AzureServices",
        defaultAction: "Deny",
        ipRules: ["192.0.2.7", "198.51.100.0/24"],
        subnets: ["rp-subnet"],
      });
  });

  async function networkAclsOf(group: string, vault: string) {
    const { resources } = world.azure.clients;
    const id = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${vault}`;
    const { properties } = await resources.resources.getById(
      id,
      "2022-07-01",
      world.azure.clients.call(signal),
    );
    const acls: NetworkAcls = JSON.parse(JSON.stringify(properties?.networkAcls));
    return {
      bypass: acls.bypass,
      defaultAction: acls.defaultAction,
      ipRules: acls.ipRules.map(({ value }) => value),
      subnets: acls.virtualNetworkRules.map(({ id }) => id.split("/").at(-1)),
    };
  }

  test("domains point to the region, and networks are peered", async () => {
    const { dns, network } = world.azure.clients;
    const call = world.azure.clients.call(signal);
    const address = (await network.publicIPAddresses.get("rp-eastus", "rp-pip", call)).ipAddress;
    const record = await dns.recordSets.get("global", "rp.example.com", "rp.eastus", "A", call);
    assert.deepEqual([record.ttl, record.aRecords], [3_600, [{ ipv4Address: address }]]);
    const ofPortal = (await network.publicIPAddresses.get("rp-eastus", "portal-pip", call)).ipAddress;
    const portal = await dns.recordSets.get("global", "rp.example.com", "eastus.admin", "A", call);
    assert.deepEqual(portal.aRecords, [{ ipv4Address: ofPortal }]);
    const zone = await dns.zones.get("rp-eastus", "eastus.clusters.example.com", call);
    const delegation = await dns.recordSets.get("global", "clusters.example.com", "eastus", "NS", call);
    assert.deepEqual(
      delegation.nsRecords?.map(({ nsdname }) => nsdname),
      zone.nameServers,
    );
    const vnet = await network.virtualNetworks.get("rp-eastus", "rp-vnet", call);
    assert.deepEqual(
      vnet.virtualNetworkPeerings?.map(({ peeringState }) => peeringState),
      ["Connected"],
    );
  });

  test("each identity has minimal rights", async () => {
    const { authorization } = world.azure.clients;
    const call = world.azure.clients.call(signal);
    const all = await Array.fromAsync(authorization.roleAssignments.listForSubscription(call));
    const identities = world.azure.clients.identities.userAssignedIdentities;
    const principals = new Map([
      [region.configuration.fpServicePrincipalId, "service"],
      [(await identities.get("rp-eastus", "aro-rp-eastus", call)).principalId ?? "", "rp"],
      [(await identities.get("gateway-eastus", "aro-gateway-eastus", call)).principalId ?? "", "gateway"],
    ]);
    const found = await Promise.all(
      all
        .filter(({ principalId = "" }) => principals.has(principalId))
        .map(async ({ principalId = "", roleDefinitionId = "", scope = "" }) => {
          const { roleName } = await authorization.roleDefinitions.getById(roleDefinitionId, call);
          return `${principals.get(principalId)}: ${roleName} on ${scope.split("/").at(-1)}`;
        }),
    );
    assert.deepEqual(found.toSorted(), [
      "gateway: AcrPull on keelsonimages",
      "rp: AcrPull on keelsonimages",
      "rp: Key Vault Secrets User on keelson-eus-svc",
      "service: DNS Zone Contributor on eastus.clusters.example.com",
      `service: Keelson service network ${subscriptionId} on gateway-eastus`,
      `service: Keelson service network ${subscriptionId} on rp-eastus`,
      "service: Key Vault Certificates Officer on keelson-eus-cls",
      "service: Key Vault Secrets User on keelson-eus-cls",
      "service: Key Vault Secrets User on keelson-eus-svc",
      "service: Storage Blob Data Contributor on keelsonoidc",
    ]);
  });

  test("a machine configures itself with secrets that its identity may read", async () => {
    const { identities } = world.azure.clients;
    const call = world.azure.clients.call(signal);
    const { clientId = "" } = await identities.userAssignedIdentities.get("rp-eastus", "aro-rp-eastus", call);
    const { deployments } = world.azure.clients;
    const { properties } = await deployments.get("rp-eastus", "rp-production-v1", call);
    const customData = String(properties?.parameters?.rpCustomData?.value ?? "");
    const cloudConfig: { write_files: { path: string; content: string }[] } = parse(
      Buffer.from(customData, "base64").toString(),
    );
    const told = cloudConfig.write_files.find(({ path }) => path === "/etc/keelson/host.json")?.content ?? "";
    const directory = mkdtempSync(join(tmpdir(), "keelson-machine-"));
    try {
      const settings = parseHostSettings(told, "host.json");
      assert.equal(settings.identityClientId, clientId);
      await prepareHost({ settings, vault: world.machineVault(settings), directory, signal });
      /** Returns the configuration that a component reads. The file paths in it refer to the test's directory. */
      const configurationOf = (part: string): Record<string, unknown> =>
        JSON.parse(
          readFileSync(join(directory, part, "service.json"), "utf8").replaceAll("/run/keelson", directory),
        );
      const rp = configurationOf("rp");
      assert.equal(Buffer.from(String(rp.skipTokenKey), "base64").length, 32);
      assert.deepEqual(rp.firstParty, {
        clientId: region.configuration.fpClientId,
        clientSecret: "application secret",
      });
      assert.match(readFileSync(join(directory, "rp", "rp-server-key.pem"), "utf8"), /PRIVATE KEY/);
      const installer = {
        kind: "aro-installer",
        command: ["/usr/local/bin/aro-installer"],
        workingFolder: "w",
        graphKeyFile: "k",
      };
      const parsed = parseServiceConfig({ ...rp, installer }, "service.json");
      assert.equal(portalAccessOf(parsed.portal)?.ssh?.port, 22, "that of the load balancer");
      for (const part of ["mimo-actuator", "mimo-scheduler", "monitor"])
        assert.equal(parseRoleConfig(configurationOf(part), part).skipTokenKey, undefined);
      const { portal = assert.fail("no portal") } = parseRoleConfig(
        configurationOf("portal"),
        "service.json",
      );
      assert.equal(portal.url, "https://eastus.admin.rp.example.com");
      assert.deepEqual([portal.host, portal.port], ["0.0.0.0", 444]);
      assert.deepEqual(portal.signIn?.groups, {
        access: [readers],
        operator: [],
        elevated: [administrators],
      });
      assert.deepEqual(
        portal.signIn?.sessionKeys.map((key) => Buffer.from(key, "base64").length),
        [32],
      );
      const { ssh } = portalAccessOf(portal) ?? {};
      assert.match(ssh?.hostKey ?? "", /^ecdsa-sha2-nistp256 /);
      const server = portalSshServerOf(portal) ?? assert.fail("no SSH server");
      assert.deepEqual([server.host, server.port], ["0.0.0.0", 2_222]);
      assert.equal(opensshPublicKey(server.hostKey.reveal()), ssh?.hostKey);
      const vault = world.machineVault(settings);
      await assert.rejects(vault.add("encryption-key", new Secret("x"), signal), { statusCode: 403 });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("the gateway's machines run it with readable data of their identity and without secrets", async () => {
    const { deployments, identities, resources } = world.azure.clients;
    const call = world.azure.clients.call(signal);
    const group = "gateway-eastus";
    const identity = await identities.userAssignedIdentities.get(group, "aro-gateway-eastus", call);
    const { properties } = await deployments.get(group, "gateway-production-v1", call);
    const { gatewayCustomData, gatewayImage } = properties?.parameters ?? {};
    assert.equal(gatewayImage?.value, "keelsonimages.azurecr.io/keelson:v1");
    const cloudConfig: { write_files: { path: string; content: string }[] } = parse(
      Buffer.from(String(gatewayCustomData?.value ?? ""), "base64").toString(),
    );
    const files = new Map(cloudConfig.write_files.map(({ path, content }) => [path, content]));
    assert.match(
      files.get("/etc/systemd/system/keelson-gateway.service") ?? "",
      /--volume \/etc\/keelson:\/etc\/keelson:ro keelsonimages\.azurecr\.io\/keelson:v1 gateway --config \/etc\/keelson\/gateway\.json /,
    );
    assert.ok(!files.has("/etc/systemd/system/keelson-host.service"), "it has no vault");
    const directory = mkdtempSync(join(tmpdir(), "keelson-gateway-"));
    try {
      const caFile = join(directory, "ca.pem");
      writeFileSync(caFile, files.get("/etc/keelson/cloud-ca.pem") ?? "");
      const told = files.get("/etc/keelson/gateway.json") ?? "";
      writeFileSync(join(directory, "gateway.json"), told.replace("/etc/keelson/cloud-ca.pem", caFile));
      const config = readGatewayConfig(join(directory, "gateway.json"));
      assert.deepEqual([config.connectPort, config.tlsPort, config.metricsPort], [80, 443, 8_081]);
      assert.deepEqual(config.machineIdentity, { clientId: identity.clientId });
      assert.deepEqual(gatewayHosts(config).hosts.slice(0, 1), ["*.monitor.example.com"]);
      assert.ok(gatewayHosts(config).hosts.includes("keelsonimages.eastus.data.azurecr.io"));
    } finally {
      rmSync(directory, { recursive: true });
    }
    const account = `/subscriptions/${subscriptionId}/resourceGroups/rp-eastus/providers/Microsoft.DocumentDB/databaseAccounts/keelson-documents`;
    const { properties: ofAccount } = await resources.resources.getById(account, "2021-01-15", call);
    const rules: unknown = ofAccount?.virtualNetworkRules;
    assert.ok(Array.isArray(rules));
    assert.deepEqual(
      rules.map(({ id }: { readonly id: string }) => id.split("/").at(-1)),
      ["rp-subnet", "gateway-subnet"],
    );
    const ofRegion = await deployments.get("rp-eastus", "rp-production-v1", call);
    const written = ofRegion.properties?.outputResources?.map(({ id = "" }) => id) ?? [];
    const roles = await Promise.all(
      written
        .filter((id) => id.includes("/sqlRoleAssignments/"))
        .map(async (id) => (await resources.resources.getById(id, "2021-10-15", call)).properties),
    );
    const rights = roles.map((role) => [
      `${role?.principalId}`,
      Number(`${role?.roleDefinitionId}`.split("-").at(-1)),
    ]);
    assert.deepEqual(Object.fromEntries(rights), {
      [region.configuration.fpServicePrincipalId]: 2,
      [identity.principalId ?? ""]: 1,
    });
  });

  test("what-if reports the changes without applying them", async () => {
    const { templates, retired } = await whatIf(world.context(region, "v2"));
    assert.deepEqual(
      templates.filter(({ notYet }) => notYet !== undefined),
      [],
    );
    const created = templates.flatMap(({ changes }) => changes).filter(({ change }) => change === "Create");
    assert.deepEqual(
      created.map(({ resourceId }) => resourceId.split("/").slice(-2).join("/")),
      [
        "virtualMachineScaleSets/rp-vmss-v2",
        "virtualMachineScaleSets/gateway-vmss-v2",
        "autoscaleSettings/gateway-vmss-v2-autoscale",
      ],
    );
    assert.deepEqual(retired, ["rp-vmss-v1", "gateway-vmss-v1"]);
    assert.deepEqual(await world.inventory(), inventoryOf(["v1"], ["v1"]));
    const elsewhere = world.region({ location: "westeurope", rpResourceGroupName: "rp-westeurope" });
    const nowhere = await whatIf(world.context(elsewhere, "v2"));
    assert.deepEqual(
      nowhere.templates.filter(({ group }) => group === "rp-westeurope").map(({ notYet }) => notYet),
      ["its group is not there yet", "its identities are not there yet", "its identities are not there yet"],
    );
  });

  test("redeploying a version changes nothing, including manual firewall rules", async () => {
    const { network } = world.azure.clients;
    const call = world.azure.clients.call(signal);
    const rule = {
      protocol: "Tcp",
      access: "Allow",
      direction: "Inbound",
      priority: 200,
      sourceAddressPrefix: "192.0.2.1",
      sourcePortRange: "*",
      destinationAddressPrefix: "*",
      destinationPortRange: "22",
    };
    await network.securityRules
      .createOrUpdate("rp-eastus", "rp-nsg", "by-hand", rule, call)
      .pollUntilDone(call);
    await deploy(world.context(region, "v1"));
    assert.deepEqual(await world.inventory(), inventoryOf(["v1"], ["v1"]));
    const { securityRules = [] } = await network.networkSecurityGroups.get("rp-eastus", "rp-nsg", call);
    assert.deepEqual(
      securityRules.map(({ name }) => name),
      ["rp_in_arm", "rp_in_geneva", "deny_in_gateway", "portal_in", "by-hand"],
    );
    const ofPortal = securityRules.find(({ name }) => name === "portal_in");
    assert.deepEqual(
      [
        ofPortal?.sourceAddressPrefixes,
        ofPortal?.destinationPortRanges,
        ofPortal?.access,
        ofPortal?.priority,
      ],
      [["192.0.2.0/24", "CorpNetPublic"], ["444", "2222"], "Allow", 142],
    );
  });

  test("a new version replaces the old one after its machines are drained", async () => {
    const states: string[] = [];
    await deploy(
      world.context(region, "v2", { onProgress: ({ phase, text }) => states.push(`${phase}: ${text}`) }),
    );
    assert.deepEqual(await world.inventory(), inventoryOf(["v2"], ["v2"]));
    assert.equal(await world.published(region), "v2");
    const order = [
      "rp-vmss-v2 is healthy",
      "draining rp-vmss-v1",
      "deleting rp-vmss-v1",
      "rp-vmss-v1 is gone",
    ];
    const at = order.map((text) => states.indexOf(`rp: ${text}`));
    assert.ok(
      at.every((index) => index >= 0),
      states.join("\n"),
    );
    assert.deepEqual(
      at,
      at.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      states.filter((each) => each.includes("not drained")),
      [],
    );
  });

  test("a new set that does not become healthy is deleted, and the old one kept", async () => {
    const id = `/subscriptions/${subscriptionId}/resourcegroups/rp-eastus/providers/microsoft.compute/virtualmachinescalesets/rp-vmss-v3`;
    world.azure.change({ unhealthy: { [id]: true } });
    const began = world.clock.monotonicMs();
    const looks: string[] = [];
    const onProgress = ({ text }: Progress) => {
      if (text !== "0 of 3 machines of rp-vmss-v3 are healthy") return;
      looks.push(text);
      world.clock.pass(10 * minute);
    };
    assert.equal(await code(deploy(world.context(region, "v3", { onProgress }))), "UnhealthyScaleSet");
    assert.ok(looks.length > 1);
    assert.ok(world.clock.waits.has(10_000), "it polls every ten seconds");
    assert.ok(world.clock.monotonicMs() - began >= 3_600_000, "it had an hour");
    assert.deepEqual(
      (await world.inventory()).filter((each) => each.includes("rp-vmss")),
      ["rp-eastus: Compute/virtualMachineScaleSets/rp-vmss-v2"],
    );
    assert.equal(await world.published(region), "v2");
    world.azure.change({ unhealthy: null });
  });

  test("machines with an unresponsive portal do not replace the old ones", async () => {
    const rule = `/subscriptions/${subscriptionId}/resourcegroups/rp-eastus/providers/microsoft.network/loadbalancers/rp-lb/loadbalancingrules/portal-lbrule`;
    world.azure.change({ unhealthy: { [rule]: true } });
    const onProgress = ({ text }: Progress) => {
      if (text === "0 of 3 machines of rp-vmss-v3 are healthy") world.clock.pass(10 * minute);
    };
    await assert.rejects(deploy(world.context(region, "v3", { onProgress })), (error) => {
      assert.ok(isCoded(error, "UnhealthyScaleSet"), String(error));
      assert.match(error.message, /not so rp-vmss-v3\/0 \(no response from its portal\), rp-vmss-v3\/1 /);
      return true;
    });
    assert.deepEqual(
      (await world.inventory()).filter((each) => each.includes("rp-vmss")),
      ["rp-eastus: Compute/virtualMachineScaleSets/rp-vmss-v2"],
    );
    world.azure.change({ unhealthy: null });
  });

  test("a gateway that does not start is named, and the previous one kept", async () => {
    const id = `/subscriptions/${subscriptionId}/resourcegroups/gateway-eastus/providers/microsoft.compute/virtualmachinescalesets/gateway-vmss-v3b`;
    world.azure.change({ unhealthy: { [id]: true } });
    const onProgress = ({ text }: Progress) => {
      if (text === "0 of 3 machines of gateway-vmss-v3b are healthy") world.clock.pass(10 * minute);
    };
    await assert.rejects(deploy(world.context(region, "v3b", { onProgress })), (error) => {
      assert.ok(isCoded(error, "UnhealthyScaleSet"), String(error));
      assert.match(
        error.message,
        /^After 40 minutes only 0 of 3 machines of gateway-vmss-v3b are healthy; not so gateway-vmss-v3b\/0 \(unhealthy\)/,
      );
      return true;
    });
    assert.deepEqual(
      (await world.inventory()).filter((each) => each.includes("gateway-vmss") && each.includes("Compute")),
      ["gateway-eastus: Compute/virtualMachineScaleSets/gateway-vmss-v3"],
    );
    assert.equal(await world.published(region), "v2");
    world.azure.change({ unhealthy: null });
  });

  test("a run that is killed at any step is resumed by the next one", async () => {
    // Phases and states at which a deployment is killed. Each kill aborts all work of the deployment.
    const kills = [
      /^predeploy: rp-production-global$/,
      /^rp: rp-production-v4$/,
      /^dns: /,
      /^rp: draining /,
      /^rp: deleting /,
      /^version: /,
    ];
    for (const kill of kills) {
      const killed = new AbortController();
      const onProgress = ({ phase, text }: Progress) => {
        if (kill.test(`${phase}: ${text}`)) killed.abort(new Error("killed"));
      };
      const context = world.context(region, "v4", { onProgress, signal: killed.signal });
      await assert.rejects(deploy(context), { message: "killed" }, String(kill));
    }
    await deploy(world.context(region, "v4"));
    assert.deepEqual(await world.inventory(), inventoryOf(["v4"], ["v4"]));
    assert.equal(await world.published(region), "v4");
  });

  test("the creation of a set is retried, at most three times", async () => {
    const type = "Microsoft.Compute/virtualMachineScaleSets";
    const scope = `/subscriptions/${subscriptionId}/resourceGroups/rp-eastus`;
    const failing = (count: number) =>
      world.azure.change({
        faults: { made: { kind: "operation-failed", type, scope, verb: "write", count } },
      });
    const deleted: string[] = [];
    const onProgress = ({ text }: Progress) => {
      if (text === "deleting rp-vmss-v5") deleted.push(text);
    };
    failing(3);
    await assert.rejects(deploy(world.context(region, "v5", { onProgress })), (error) => {
      assert.ok(isCoded(error, "DeploymentFailed"), String(error));
      assert.match(error.message, /rp-production-v5 in the group rp-eastus failed: .*InternalOperationError/);
      return true;
    });
    assert.equal(deleted.length, 2, "what failed is out of the way of each further attempt");
    assert.equal(await world.published(region), "v4");
    failing(1);
    await deploy(world.context(region, "v5", { onProgress }));
    assert.deepEqual(await world.inventory(), inventoryOf(["v5"], ["v5"]));
  });

  test("only transient failures of Azure are retried", async () => {
    const scope = `/subscriptions/${subscriptionId}/resourceGroups/subscription`;
    const type = "Microsoft.Insights/actionGroups";
    const run = async (code: string, count: number) => {
      const faults = {
        trouble: { kind: "refused", type, scope, verb: "write", status: 500, code, count },
      } as const;
      world.azure.change({ faults });
      const attempts: string[] = [];
      const onProgress = ({ text }: Progress) => {
        if (/^rp-production-subscription(, attempt \d)?$/.test(text)) attempts.push(text);
      };
      const failed = await deploy(world.context(region, "v5", { onProgress })).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      world.azure.change({ faults: null });
      return { attempts: attempts.length, failed };
    };
    assert.deepEqual(await run("InternalServerError", 2), { attempts: 3, failed: undefined });
    const refused = await run("Refused", 1);
    assert.equal(refused.attempts, 1);
    assert.match(
      String(refused.failed),
      /rp-production-subscription in the group subscription failed: Refused: /,
    );
  });

  test("two concurrent runs have the result of one", async () => {
    await Promise.all([deploy(world.context(region, "v6")), deploy(world.context(region, "v6"))]);
    assert.deepEqual(await world.inventory(), inventoryOf(["v6"], ["v6"]));
  });

  test("the only set of a region stays when it is found unhealthy later", async () => {
    const id = `/subscriptions/${subscriptionId}/resourcegroups/rp-eastus/providers/microsoft.compute/virtualmachinescalesets/rp-vmss-v6`;
    world.azure.change({ unhealthy: { [id]: true } });
    const facts: string[] = [];
    const onProgress = ({ kind, text }: Progress) => {
      if (kind === "fact") facts.push(text);
      if (text === "0 of 3 machines of rp-vmss-v6 are healthy") world.clock.pass(10 * minute);
    };
    assert.equal(await code(deploy(world.context(region, "v6", { onProgress }))), "UnhealthyScaleSet");
    assert.match(
      facts.join("\n"),
      /^rp-vmss-v6 was there before and is kept, as there is no other: After 60 /m,
    );
    world.azure.change({ unhealthy: null });
    assert.deepEqual(await world.inventory(), inventoryOf(["v6"], ["v6"]));
  });

  test("keys that are older than seven days get a new version, and nothing else does", async () => {
    const made = async () => {
      const facts: string[] = [];
      await deploy(
        world.context(region, "v6", {
          onProgress: ({ phase, kind, text }) => phase === "secrets" && kind === "fact" && facts.push(text),
        }),
      );
      return facts;
    };
    const machines = async () => {
      const { deployments } = world.azure.clients;
      const { properties } = await deployments.get(
        "rp-eastus",
        "rp-production-v6",
        world.azure.clients.call(signal),
      );
      const { rpCustomData, rpSecretVersions } = properties?.parameters ?? {};
      return [rpCustomData?.value, rpSecretVersions?.value];
    };
    const before = await machines();
    world.clock.pass(5 * day);
    assert.deepEqual(await made(), []);
    world.clock.pass(3 * day);
    assert.deepEqual(await made(), [
      "encryption-key has a new version",
      "fe-encryption-key has a new version",
      "portal-session-key has a new version",
    ]);
    assert.deepEqual(
      await machines(),
      before,
      "machines that come to the set later have the keys of the others",
    );
  });

  test("a region without a gateway can store its documents in PostgreSQL", async () => {
    const other = world.region(
      { location: "westeurope", rpResourceGroupName: "rp-westeurope" },
      {
        databaseKind: "postgres",
        serviceFiles: { "server.pem": "rp-server", "hive-kubeconfig": "hive" },
        service: {
          ...exampleConfiguration.service,
          tls: { certificateFile: "/run/keelson/server.pem", keyFile: "/run/keelson/server.pem" },
          hive: { kubeconfigFile: "/run/keelson/hive-kubeconfig" },
        },
        databaseAccountName: "keelson-pg",
        keyvaultPrefix: "keelson-weu",
        oidcStorageAccountName: "keelsonoidcweu",
      },
    );
    const before = await world.inventory();
    const refused = await deploy(world.context(other, "v4")).catch((error: unknown) => String(error));
    assert.match(String(refused), /lacks .*rp-server.*rp-firstparty.*hive, which serviceFiles names/s);
    await world.giveSecrets(other);
    await deploy(world.context(other, "v4"));
    const added = (await world.inventory()).filter((each) => !before.includes(each));
    assert.deepEqual(
      added.filter((each) => /Postgre|private|database|replications|scaleSets/i.test(each)).toSorted(),
      [
        "global: ContainerRegistry/registries/replications/westeurope",
        "rp-westeurope: Compute/virtualMachineScaleSets/rp-vmss-v4",
        "rp-westeurope: DBforPostgreSQL/flexibleServers/keelson-pg",
        "rp-westeurope: Network/privateDnsZones/keelson-pg.private.postgres.database.azure.com",
        "rp-westeurope: Network/privateDnsZones/virtualNetworkLinks/rp-vnet",
        "rp-westeurope: Network/virtualNetworks/rp-database-vnet",
      ],
    );
    const { defaultAction, ipRules } = await networkAclsOf("rp-westeurope", "keelson-weu-svc");
    assert.deepEqual([defaultAction, ipRules], ["Allow", []], "no addresses are configured");
  });
});
