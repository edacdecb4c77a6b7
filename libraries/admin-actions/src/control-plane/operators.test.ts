import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { memoryCluster } from "@keelson/cluster/testing";

import { resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { checkServicePrincipal } from "./operators.ts";

const { signal } = new AbortController();
const valid = "ServicePrincipalValid";
const of = (status: string, message: string) => [
  { type: "MachineValid", status: "False" },
  { type: valid, status, message },
];

for (const { name, conditions, message } of [
  { name: "True passes", conditions: of("True", "Service Principal is valid"), message: undefined },
  {
    name: "False is refused with the operator's words",
    conditions: of("False", "AADSTS7000222: The secret is expired."),
    message: "Cluster Service Principal is invalid: AADSTS7000222: The secret is expired.",
  },
  {
    name: "Unknown is refused",
    conditions: of("Unknown", "Unable to validate: no response"),
    message: "Cluster Service Principal is invalid: Unable to validate: no response",
  },
  {
    name: "no such condition is refused",
    conditions: [{ type: "MachineValid", status: "True" }],
    message:
      "ServicePrincipalValid condition not found on the ARO Cluster resource. The ARO operator may not have reconciled yet.",
  },
  {
    name: "a Cluster without a status is refused",
    conditions: undefined,
    message:
      "ServicePrincipalValid condition not found on the ARO Cluster resource. The ARO operator may not have reconciled yet.",
  },
]) {
  test(`the service principal before a resize: ${name}`, async () => {
    const { kube } = memoryCluster();
    kube.put(resources.aroClusters, {
      metadata: { name: "cluster" },
      ...(conditions ? { status: { conditions } } : {}),
    });
    // The fake context only has a Kubernetes client, because the check uses nothing else.
    const check = checkServicePrincipal({ kube: () => kube, signal } as unknown as ActionContext);
    if (message === undefined) return check;
    await assert.rejects(check, (error) => {
      assert.ok(error instanceof CloudError);
      assert.equal(error.status, 409);
      assert.deepEqual(error.body, {
        code: "InvalidServicePrincipalCredentials",
        message,
        target: "servicePrincipal",
      });
      return true;
    });
  });
}
