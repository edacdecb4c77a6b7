import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { type Agent, request } from "undici";
import { agentFor, type EmbeddedProcess, startEmbeddedProcess } from "./testing/index.ts";

const directory = mkdtempSync(join(tmpdir(), "crash-"));
after(() => rmSync(directory, { recursive: true }));

const writes = 1_000;
const path = "/api/v1/namespaces/default/configmaps";

interface Acknowledged {
  readonly revision: number;
  /** Deletion state. `asked`: the deletion was sent without a response, so the object may or may not exist. */
  readonly deleted: "no" | "asked" | "yes";
}

async function call(
  server: EmbeddedProcess,
  agent: Agent,
  method: "GET" | "POST" | "DELETE",
  url: string,
  body?: object,
) {
  const response = await request(`${server.url}${url}`, {
    method,
    dispatcher: agent,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  const read: unknown = await response.body.json();
  return { status: response.statusCode, body: read };
}

test("after a crash during 1,000 concurrent writes, acknowledged writes exist and revisions continue", async () => {
  const file = join(directory, "writes.db");
  const acknowledged = new Map<string, Acknowledged>();
  let highest = 0;
  let authority: EmbeddedProcess["authority"] | undefined;
  for (const [round, killedAfter] of [150, 600, 900].entries()) {
    await using server = await startEmbeddedProcess({ file, authority });
    authority = server.authority;
    const agent = agentFor(server.authority, server.admin, 64);
    const before = await call(server, agent, "GET", path);
    const revision = Number(scalarStringAt(before.body, "metadata", "resourceVersion"));
    assert.ok(revision >= highest, `revision ${revision} after ${highest}`);
    let answered = 0;
    const write = async (at: number) => {
      const name = `w${round}-${at}`;
      const made = await call(server, agent, "POST", path, { metadata: { name }, data: { at: `${at}` } });
      assert.equal(made.status, 201);
      const own = Number(scalarStringAt(made.body, "metadata", "resourceVersion"));
      assert.ok(own > revision, `${name} got ${own} after ${revision}`);
      acknowledged.set(name, { revision: own, deleted: "no" });
      highest = Math.max(highest, own);
      if (at % 10 === 0) {
        acknowledged.set(name, { revision: own, deleted: "asked" });
        const gone = await call(server, agent, "DELETE", `${path}/${name}`);
        assert.equal(gone.status, 200);
        acknowledged.set(name, { revision: own, deleted: "yes" });
      }
      if (++answered === 100) server.forgetHistory();
      if (answered === killedAfter) await server.kill();
    };
    const outcomes = await Promise.allSettled(Array.from({ length: writes }, (_, at) => write(at)));
    const wrong = outcomes.filter(
      (outcome) => outcome.status === "rejected" && outcome.reason instanceof assert.AssertionError,
    );
    assert.deepEqual(wrong, []);
    assert.ok(answered >= killedAfter && answered < writes);
    await agent.destroy();
  }
  await using server = await startEmbeddedProcess({ file, authority });
  const agent = agentFor(server.authority, server.admin);
  const { body } = await call(server, agent, "GET", path);
  const stored = new Map(
    listAt(body, "items").map((item) => [
      scalarStringAt(item, "metadata", "name"),
      Number(scalarStringAt(item, "metadata", "resourceVersion")),
    ]),
  );
  for (const [name, { revision, deleted }] of acknowledged) {
    if (deleted !== "asked") assert.equal(stored.get(name), deleted === "yes" ? undefined : revision, name);
  }
  const revisions = [...acknowledged.values()].map(({ revision }) => revision);
  assert.equal(new Set(revisions).size, revisions.length);
  assert.ok(Number(scalarStringAt(body, "metadata", "resourceVersion")) >= highest);
  await agent.destroy();
});
