import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import type { RequestInfo } from "./messages/request-info.ts";
import { defaultLimits, ServerLoad } from "./server-load.ts";

const request = new IncomingMessage(new Socket());
const watch = { verb: "watch" } as RequestInfo;

function watchIn(load: ServerLoad, cluster: string): ServerResponse {
  const response = new ServerResponse(request);
  load.admit(response, cluster, watch, 1);
  return response;
}

test("a server accepts the watches of operators in hundreds of clusters", () => {
  const load = new ServerLoad(defaultLimits);
  for (let cluster = 0; cluster < 300; cluster++)
    for (let count = 0; count < 160; count++) watchIn(load, `c${cluster}`);
});

test("the number of watches of a cluster is limited, and ended watches are released", () => {
  const load = new ServerLoad(defaultLimits);
  const [first] = Array.from({ length: 5_000 }, () => watchIn(load, "greedy"));
  assert.throws(() => watchIn(load, "greedy"), { code: 429, message: /too many requests to this cluster/ });
  watchIn(load, "modest");
  first?.emit("close");
  watchIn(load, "greedy");
});
