import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { exampleConfiguration, exampleRegion } from "../testing/example-region.ts";
import { cloudOf } from "./cloud.ts";
import { readRegion } from "./read-config.ts";
import { resolveRegion } from "./resolve-region.ts";

function refusal(config: unknown, location = "eastus"): string {
  try {
    resolveRegion(config, location, "config.yaml");
  } catch (error) {
    if (isCoded(error, "InvalidDeployConfiguration")) return error.message;
    throw error;
  }
  return "none";
}

test("missing fields of a region come from the common configuration", () => {
  const { vmSize, ...rest } = exampleConfiguration;
  const region = {
    ...exampleRegion,
    configuration: { vmSize, rpVmssCapacity: 5, fpClientId: "", databaseSku: null },
  };
  const config = {
    rps: [region],
    configuration: { ...rest, rpVmssCapacity: 1, vmSize: "Standard_D4s_v3", databaseSku: "x" },
  };
  const { configuration } = resolveRegion(config, "eastus", "config.yaml");
  assert.equal(configuration.vmSize, vmSize);
  assert.equal(configuration.rpVmssCapacity, 5);
  assert.equal(configuration.fpClientId, exampleConfiguration.fpClientId, "an empty text says nothing");
  assert.equal(configuration.databaseSku, "x", "null says nothing");
  assert.equal(configuration.gatewayVmssCapacity, 3, "a default");
});

test("all fields that are missing are named together", () => {
  const { vmSize: _, fpTenantId: __, ...configuration } = exampleConfiguration;
  assert.equal(
    refusal({ rps: [exampleRegion], configuration: { ...configuration, rpImagePrefix: "" } }),
    "config.yaml: configuration has missing fields: fpTenantId,rpImagePrefix,vmSize",
  );
  assert.match(
    refusal({
      rps: [{ ...exampleRegion, gatewayResourceGroupName: "gw" }],
      configuration: { ...exampleConfiguration, databaseKind: "postgres" },
    }),
    /missing fields: gatewayImage/,
  );
});

test("missing fields of a portal are named, including its application", () => {
  const id = exampleConfiguration.fpClientId;
  const refused = (fields: object) =>
    refusal({ rps: [exampleRegion], configuration: { ...exampleConfiguration, ...fields } });
  assert.match(refused({ portalClientId: id }), /missing fields: portalAccessGroupIds \(/);
  assert.match(
    refused({ portalElevatedGroupIds: [id], rpNsgPortalSourceAddressPrefixes: ["192.0.2.0/24"] }),
    /missing fields: portalClientId \(portalElevatedGroupIds, rpNsgPortalSourceAddressPrefixes /,
  );
  assert.match(refused({ portalClientId: "portal" }), /\/configuration\/portalClientId /);
  assert.match(
    refused({ portalClientId: id, portalAccessGroupIds: [] }),
    /missing fields: portalAccessGroupIds /,
  );
  assert.match(refused({ portalClientId: id, portalAccessGroupIds: ["x"] }), /\/portalAccessGroupIds\/0 /);
  assert.equal(
    refused({ portalClientId: id, portalAccessGroupIds: [id], portalElevatedGroupIds: [] }),
    "none",
  );
});

for (const [name, config, message] of [
  ["a place that is none", { rps: [{ ...exampleRegion, location: "East US" }] }, /\/rps\/0\/location /],
  [
    "a subscription that is none",
    { rps: [{ ...exampleRegion, subscriptionId: "1" }] },
    /\/rps\/0\/subscriptionId /,
  ],
  [
    "a field that is unknown",
    { rps: [exampleRegion], configuration: { vmsize: "x" } },
    /^config\.yaml: \/configuration\/vmsize is unknown, did you mean vmSize\?$/,
  ],
  [
    "a number that is too large",
    { rps: [{ ...exampleRegion, configuration: { gatewayVmssCapacity: 8 } }] },
    /\/rps\/0\/configuration\/gatewayVmssCapacity /,
  ],
  [
    "a cloud that is unknown",
    { rps: [exampleRegion], configuration: { azureCloudName: "x" } },
    /\/configuration\/azureCloudName .*: AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud \(name/,
  ],
  [
    "a file elsewhere",
    { rps: [exampleRegion], configuration: { serviceFiles: { "../x": "secret" } } },
    /\/configuration\/serviceFiles\/\.\.\/x is unknown/,
  ],
  ["no regions", { rps: [] }, /\/rps /],
  ["no object", "text", /config\.yaml: \/ /],
] as const) {
  test(`${name} is refused by its path`, () => assert.match(refusal(config), message));
}

test("an unknown region is rejected with the list of regions", () => {
  const config = { rps: [exampleRegion], configuration: exampleConfiguration };
  assert.equal(refusal(config, "westus"), "config.yaml: location westus not found in config: it has eastus");
});

test("a configuration is read from YAML, and the location is case-insensitive", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-deploy-"));
  try {
    const path = join(directory, "config.yaml");
    writeFileSync(
      path,
      `rps: [${JSON.stringify(exampleRegion)}]\nconfiguration: ${JSON.stringify(exampleConfiguration)}\n`,
    );
    assert.equal(readRegion(path, "EastUS").rpResourceGroupName, "rp-eastus");
    writeFileSync(path, "rps: [");
    assert.throws(() => readRegion(path, "eastus"), {
      code: "InvalidDeployConfiguration",
      message: /cannot be read/,
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("services of Azure's clouds have their default host names, those of a custom cloud the configured ones", () => {
  const { configuration } = resolveRegion(
    { rps: [exampleRegion], configuration: exampleConfiguration },
    "eastus",
    "c",
  );
  const government = cloudOf({ ...configuration, azureCloudName: "AzureUSGovernmentCloud" });
  assert.equal(government.vaultUrl("a-svc"), "https://a-svc.vault.usgovcloudapi.net");
  assert.equal(government.containerUrl("a", "$web"), "https://a.blob.core.usgovcloudapi.net/$web");
  const own = cloudOf({
    ...configuration,
    cloud: {
      armEndpoint: "https://arm",
      loginEndpoint: "https://login",
      audience: "https://management.azure.com/",
      vaultUrl: "https://arm/vaults/{vault}",
      blobUrl: "https://arm/blobs/{account}",
    },
  });
  assert.equal(own.vaultUrl("a-svc"), "https://arm/vaults/a-svc");
  assert.equal(own.containerUrl("a", "$web"), "https://arm/blobs/a/$web");
});
