import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import type { ListenerResponse } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import type { PortalContext } from "../http/portal-route.ts";
import type { Login } from "../sign-in/login.ts";
import { LogStreams } from "./log-streams.ts";

const minuteMs = 60_000;

test("a followed log ends with the activated role of its reader", { timeout: 60_000 }, async () => {
  const clock = new ManualClock();
  const now = clock.now().getTime();
  const login: Partial<Login> = {
    username: "ada",
    expires: new Date(now + 30 * minuteMs),
    elevation: { of: "tenant/ada", from: new Date(now).toISOString(), until: new Date(now) },
  };
  const context: Partial<PortalContext> = {
    signal: new AbortController().signal,
    login: () => login as Login,
  };
  // Client for a container that writes nothing. The response with its log never ends.
  const kube: Pick<KubeClient, "logs"> = {
    async *logs(_pod, _options, signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  };
  const signOuts = { ended: () => new Promise<void>(() => undefined) };
  const elevations = { ended: () => new Promise<void>(() => undefined) };
  const streams = new LogStreams({ signOuts, elevations, clock });
  const container = { namespace: "customer", pod: "shop", container: "main" };
  const { write } = streams.open(context as PortalContext, kube as KubeClient, container, 1);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  await write?.(response as unknown as ListenerResponse);
  assert.ok(response.writableEnded);
});
