import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request } from "undici";
import { armToken, type Endpoints } from "./support/endpoints.ts";
import { clusterOfApplication, clusterOfIdentities } from "./support/recorded-commands.ts";
import type { RecordedPlace, RecordedRequest } from "./support/recorded-requests.ts";

const graphScope = "https://graph.microsoft.com/.default";
const serviceAppId = "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875";
/** Poll interval of operations in milliseconds. */
const pollMs = 200;

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
  readonly body: any;
}

/**
 * Defines tests that repeat recorded Azure requests of `az aro`. Responses must have the recorded statuses and top-level
 * properties.
 */
export function testRecordedCommands(instance: () => Endpoints): void {
  let agent: Agent;
  let endpoints: Endpoints;
  let tokens: { readonly arm: string; readonly graph: string };

  before(async () => {
    endpoints = instance();
    agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(endpoints.caFile, "utf8") },
    });
    tokens = { arm: await armToken(endpoints, agent), graph: await armToken(endpoints, agent, graphScope) };
  });
  after(() => agent.destroy());

  async function send(method: string, path: string, body?: object): Promise<Response> {
    const url = path.startsWith("https:") ? path : `${endpoints.arm}${path}`;
    const token = path.startsWith("/v1.0/") ? tokens.graph : tokens.arm;
    const response = await request(url, {
      method: method as "GET",
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  }

  async function principalOf(appId: string): Promise<string> {
    const filter = encodeURIComponent(`appId eq '${appId}'`);
    const { body } = await send("GET", `/v1.0/servicePrincipals?$filter=${filter}`);
    return body.value[0].id;
  }

  async function placeIn(group: string): Promise<RecordedPlace> {
    const { subscriptionId, clientId, clientSecret } = endpoints;
    const subscription = `/subscriptions/${subscriptionId}`;
    const tags = { product: "azurecli" };
    const made = await send("PUT", `${subscription}/resourcegroups/${group}?api-version=2024-11-01`, {
      location: "eastus",
      tags,
    });
    assert.equal(made.status, 201);
    return {
      ...{ subscription, group, clientId, clientSecret },
      principalId: await principalOf(clientId),
      servicePrincipalId: await principalOf(serviceAppId),
    };
  }

  async function replay(recorded: readonly RecordedRequest[]): Promise<void> {
    const ids = new Map<string, string>();
    for (const { command, method, path, body, status, members, operation, principal } of recorded) {
      const response = await send(method, path, typeof body === "function" ? body(ids) : body);
      const what = `${command}: ${method} ${path}`;
      assert.deepEqual(
        { what, status: response.status, members: namesIn(response.body) },
        { what, status, members },
        JSON.stringify(response.body),
      );
      if (principal) ids.set(principal, response.body.properties.principalId);
      if (operation) await follow(what, response);
    }
  }

  /** Polls an operation until it has completed. Each response must have exactly the same fields as in Azure. */
  async function follow(what: string, { status, headers }: Response): Promise<void> {
    if (status === 202) assert.match(String(headers.location), /\/operationresults\//i, what);
    const url = String(headers["azure-asyncoperation"]);
    assert.match(url, /\/locations\/eastus\/operationsstatus\//i, what);
    for (;;) {
      const look = await send("GET", url);
      assert.equal(look.status, 200, what);
      const isOver = /^(Succeeded|Failed)$/.test(look.body.status);
      assert.equal(namesIn(look.body), `${isOver ? "endTime " : ""}id name startTime status`, what);
      assert.notEqual(look.body.status, "Failed", what);
      if (isOver) return;
      await delay(pollMs);
    }
  }

  test("recorded commands create, show, update and delete a cluster that acts as an application", async () => {
    await replay(clusterOfApplication(await placeIn("cli-application")));
  });

  test("recorded commands create and delete a cluster with managed identities", async () => {
    await replay(clusterOfIdentities(await placeIn("cli-identities")));
  });
}

function namesIn(body: unknown): string {
  return typeof body === "object" && body !== null ? Object.keys(body).sort().join(" ") : "";
}
