import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "@keelson/azure";
import { judgeRights } from "./rights.ts";

const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s";
const servicePrincipal = { clientId: "app", usesWorkloadIdentity: false };
const identity = { clientId: "app", usesWorkloadIdentity: true };
const signal = AbortSignal.timeout(900_000);
const subnets = "Microsoft.Network/virtualNetworks/subnets";

function answering(response: readonly Permission[] | Error): Parameters<typeof judgeRights>[0] {
  const get = async () => {
    if (response instanceof Error) throw response;
    return {
      value: response.map(({ actions = [], notActions = [] }) => ({
        actions: [...actions],
        notActions: [...notActions],
      })),
    };
  };
  return { raw: { get } };
}

function refusal(statusCode: number, code: string): Error {
  return Object.assign(new Error(code), { statusCode, details: { error: { code, message: "refused" } } });
}

for (const { name, principal, response, expected } of [
  { name: "all rights", principal: servicePrincipal, response: [{ actions: ["*"] }], expected: "True" },
  {
    name: "a missing right",
    principal: servicePrincipal,
    response: [{ actions: ["*"], notActions: [`${subnets}/write`] }],
    expected: `The cluster service principal (Application ID: app) does not have required permissions on subnet '${id}'. It lacks ${subnets}/write.`,
  },
  {
    name: "what an identity's role gives",
    principal: identity,
    response: [{ actions: [`${subnets}/read`, `${subnets}/write`] }],
    expected: "True",
  },
  {
    name: "less than an identity's role gives",
    principal: identity,
    response: [{ actions: [`${subnets}/read`] }],
    expected: `The aro-operator platform managed identity does not have required permissions on subnet '${id}'. It lacks ${subnets}/write.`,
  },
  {
    name: "a principal that may not list its rights",
    principal: servicePrincipal,
    response: refusal(403, "AuthorizationFailed"),
    expected: `The cluster service principal (Application ID: app) does not have required permissions on subnet '${id}'. It lacks ${subnets}/join/action.`,
  },
  {
    name: "an identity that may not list its rights",
    principal: identity,
    response: refusal(403, "AuthorizationFailed"),
    expected: "True",
  },
  {
    name: "a resource that is gone",
    principal: servicePrincipal,
    response: refusal(404, "ResourceNotFound"),
    expected: "True",
  },
  {
    name: "no answer",
    principal: servicePrincipal,
    response: refusal(503, "ServiceUnavailable"),
    expected: "Unable to validate: ServiceUnavailable: refused",
  },
]) {
  test(`${name}: ${expected}`, async () => {
    const verdict = await judgeRights(answering(response), principal, { kind: "subnet", id }, signal);
    assert.equal("message" in verdict ? verdict.message : verdict.status, expected);
  });
}
