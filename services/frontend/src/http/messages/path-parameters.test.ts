import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { type PathParameters, parameterCheck } from "./path-parameters.ts";
import { paths } from "./paths.ts";

const good = {
  subscriptionId: "00000000-0000-0000-0000-00000000000a",
  resourceGroup: "group",
  namespace: "microsoft.redhatopenshift",
  type: "openshiftclusters",
  name: "demo",
};

const refusals: readonly {
  readonly name: string;
  readonly change: PathParameters;
  readonly code: string;
  readonly message: string;
}[] = [
  {
    name: "a subscription that is no UUID",
    change: { subscriptionId: "abc" },
    code: "InvalidSubscriptionID",
    message: "The provided subscription identifier 'abc' is malformed or invalid.",
  },
  {
    name: "a group that ends with a period",
    change: { resourceGroup: "group." },
    code: "ResourceGroupNotFound",
    message: "Resource group 'group.' could not be found.",
  },
  {
    name: "a group of 91 characters",
    change: { resourceGroup: "g".repeat(91) },
    code: "ResourceGroupNotFound",
    message: `Resource group '${"g".repeat(91)}' could not be found.`,
  },
  {
    name: "another namespace",
    change: { namespace: "foo.bar" },
    code: "InvalidResourceNamespace",
    message: "The resource namespace 'foo.bar' is invalid.",
  },
  {
    name: "another type",
    change: { type: "machines" },
    code: "InvalidResourceType",
    message:
      "The resource type 'machines' could not be found in the namespace 'microsoft.redhatopenshift' for api version 'v'.",
  },
  {
    name: "a name with a slash",
    change: { name: "a/b" },
    code: "ResourceNotFound",
    message:
      "The Resource 'microsoft.redhatopenshift/openshiftclusters/a/b' under resource group 'group' was not found.",
  },
  {
    name: "the first of several faults",
    change: { name: "!", subscriptionId: "!" },
    code: "InvalidSubscriptionID",
    message: "The provided subscription identifier '!' is malformed or invalid.",
  },
];

for (const { name, change, code, message } of refusals) {
  test(`path parameters: ${name} is refused`, () => {
    const check = parameterCheck(paths.cluster, "eastus");
    assert.throws(
      () => check({ ...good, ...change }, "v"),
      (error) =>
        error instanceof CloudError &&
        assert.deepEqual(error.body, { code, message }) === undefined &&
        error.status === 400,
    );
  });
}

test("path parameters that are in order pass", () => {
  parameterCheck(paths.cluster, "eastus")(good, "v");
});

test("a path's parameters are checked only where the path has them", () => {
  parameterCheck(paths.subscription, "eastus")({ subscriptionId: good.subscriptionId }, "v");
});

const locations = [
  { value: "eastus", accepted: true },
  { value: "east us", accepted: true },
  { value: "westus", accepted: false },
  { value: "", accepted: false },
];

for (const { value, accepted } of locations) {
  test(`the location '${value}' is ${accepted ? "accepted" : "refused"} in East US`, () => {
    const check = parameterCheck(paths.openShiftVersions, "East US");
    const run = () => check({ ...good, location: value }, "v");
    if (accepted) run();
    else assert.throws(run, { message: `The provided location '${value}' is malformed or invalid.` });
  });
}
