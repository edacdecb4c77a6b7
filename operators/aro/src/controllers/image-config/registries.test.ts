import assert from "node:assert/strict";
import { test } from "node:test";
import { planRegistrySources, serviceRegistries } from "./registries.ts";

const spec = { acrDomain: "arosvc.azurecr.io", azEnvironment: "AzurePublicCloud", location: "eastus" };
const required = ["arosvc.azurecr.io", "arosvc.eastus.data.azurecr.io"];

test("the registries of the service are its own and its data endpoint in the cluster's region", () => {
  assert.deepEqual(serviceRegistries(spec), required);
  const government = {
    acrDomain: "gov.azurecr.us",
    azEnvironment: "AzureUSGovernmentCloud",
    location: "usgovvirginia",
  };
  assert.deepEqual(serviceRegistries(government), ["gov.azurecr.us", "gov.usgovvirginia.data.azurecr.us"]);
});

test("a service without a registry requires none", () => {
  for (const acrDomain of ["", ".azurecr.io"])
    assert.deepEqual(serviceRegistries({ ...spec, acrDomain }), []);
  assert.deepEqual(serviceRegistries({}), []);
});

for (const azEnvironment of ["AzureChinaCloud", "", "toString", "azurepubliccloud"])
  test(`the cloud '${azEnvironment}' is unknown`, () =>
    assert.throws(() => serviceRegistries({ ...spec, azEnvironment }), {
      message: `spec.azEnvironment of the Cluster is '${azEnvironment}': AzurePublicCloud and AzureUSGovernmentCloud are known`,
    }));

test("a Cluster without a region is an error", () => {
  assert.throws(
    () => serviceRegistries({ ...spec, location: "" }),
    /^Error: spec.location of the Cluster is empty$/,
  );
});

const [own = "", data = ""] = required;
const plans = [
  { name: "no sources", sources: undefined, plan: {} },
  { name: "sources that are null", sources: { allowedRegistries: null, blockedRegistries: null }, plan: {} },
  { name: "other sources", sources: { insecureRegistries: [own] }, plan: {} },
  {
    name: "registries that are allowed",
    sources: { allowedRegistries: ["quay.io"] },
    plan: { allowedRegistries: ["quay.io", own, data] },
  },
  { name: "none allowed", sources: { allowedRegistries: [] }, plan: { allowedRegistries: required } },
  {
    name: "all required registries in a different order",
    sources: { allowedRegistries: [data, "quay.io", own] },
    plan: {},
  },
  {
    name: "duplicates and different letter case",
    sources: { allowedRegistries: [own, own.toUpperCase(), "b.io", data, "a.io", data] },
    plan: { allowedRegistries: ["b.io", "a.io", own, data] },
  },
  {
    name: "only a different letter case",
    sources: { allowedRegistries: [own.toUpperCase(), data] },
    plan: { allowedRegistries: [own, data] },
  },
  { name: "other blocked registries", sources: { blockedRegistries: ["quay.io"] }, plan: {} },
  {
    name: "registries that are blocked",
    sources: { blockedRegistries: ["quay.io", own.toUpperCase(), data] },
    plan: { blockedRegistries: ["quay.io"] },
  },
  { name: "entries that are not strings", sources: { allowedRegistries: [7, null, own, data] }, plan: {} },
];
for (const { name, sources, plan } of plans)
  test(`an Image with ${name}`, () => {
    assert.deepEqual(planRegistrySources(sources, required), plan);
    assert.deepEqual(planRegistrySources({ ...sources, ...plan }, required), {}, "needs no second change");
  });

test("both lists are rejected, including empty ones", () => {
  for (const list of [["quay.io"], []])
    assert.throws(
      () => planRegistrySources({ allowedRegistries: list, blockedRegistries: list }, required),
      /^Error: both AllowedRegistries and BlockedRegistries are present$/,
    );
});
