import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { invalidate, isCoveredByEvents, readAgain } from "./resync.ts";

/** Creates an active query of a page. The test responds to each of its requests. */
function shown(client: QueryClient, ...queryKey: readonly string[]) {
  const responses: ((text: string) => void)[] = [];
  const aborted: boolean[] = [];
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise<string>((resolve) => {
        const index = responses.push(resolve) - 1;
        signal.addEventListener("abort", () => {
          aborted[index] = true;
        });
      }),
  });
  const stop = observer.subscribe(() => undefined);
  return { responses, aborted, stop, text: () => observer.getCurrentResult().data };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test("a request in flight is shown, and read once more", async () => {
  const client = new QueryClient();
  const list = shown(client, "clusters");
  const reading = readAgain(client, isCoveredByEvents);
  await turn();
  assert.deepEqual([list.responses.length, list.aborted], [1, []]);
  list.responses[0]?.("before");
  await turn();
  assert.deepEqual([list.text(), list.responses.length], ["before", 2]);
  list.responses[1]?.("after");
  await reading;
  assert.equal(list.text(), "after");
  list.stop();
  client.clear();
});

test("a change during the first request repeats the query once after the response", async () => {
  const client = new QueryClient();
  const operations = shown(client, "cluster", "/id", "operations");
  const changes = [1, 2, 3].map(() => invalidate(client, { queryKey: ["cluster", "/id"] }));
  await turn();
  assert.equal(operations.responses.length, 1);
  operations.responses[0]?.("before");
  await turn();
  assert.deepEqual([operations.text(), operations.responses.length], ["before", 2]);
  operations.responses[1]?.("after");
  await Promise.all(changes);
  assert.deepEqual([operations.text(), operations.responses.length], ["after", 2]);
  operations.stop();
  client.clear();
});

test("queries without events are unchanged", async () => {
  const client = new QueryClient();
  const chart = shown(client, "cluster", "/id", "statistics", "kubeapicpu");
  await readAgain(client, isCoveredByEvents);
  chart.responses[0]?.("series");
  await turn();
  assert.deepEqual([chart.text(), chart.responses.length], ["series", 1]);
  chart.stop();
  client.clear();
  for (const [key, expected] of [
    [["clusters"], true],
    [["cluster", "/id", ""], true],
    [["cluster", "/id", "operations"], true],
    [["cluster", "/id", "nodes"], false],
    [["info"], false],
  ] as const)
    assert.equal(isCoveredByEvents(key), expected, key.join(" "));
});
