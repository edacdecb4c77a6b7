import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { ListChanges } from "./list-changes.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve));

test("a response that is older than an event does not undo the event", async () => {
  const client = new QueryClient();
  const queryKey = ["clusters"];
  const responses: ((list: readonly string[]) => void)[] = [];
  const observer = new QueryObserver<readonly string[]>(client, {
    queryKey,
    queryFn: () => new Promise((resolve) => responses.push(resolve)),
  });
  const stop = observer.subscribe(() => undefined);
  using changes = new ListChanges<readonly string[]>(client, queryKey);
  const list = () => observer.getCurrentResult().data;

  changes.apply((old) => [...old, "created"]);
  assert.equal(list(), undefined);
  responses[0]?.(["demo"]);
  await turn();
  assert.deepEqual(list(), ["demo", "created"]);

  const reading = client.invalidateQueries({ queryKey });
  changes.apply((old) => old.filter((each) => each !== "demo"));
  assert.deepEqual(list(), ["created"]);
  responses[1]?.(["demo", "created"]);
  await reading;
  assert.deepEqual(list(), ["created"]);

  const later = client.invalidateQueries({ queryKey });
  responses[2]?.(["other"]);
  await later;
  assert.deepEqual(list(), ["other"]);
  stop();
  client.clear();
});
