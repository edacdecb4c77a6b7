import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { journalLines } from "./journal.ts";
import { parseJournalQuery } from "./journal-query.ts";
import { openLogFile } from "./log-files.ts";

const now = new Date("2026-05-06T12:00:00Z");
const node: KubeObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "worker-0", creationTimestamp: "2026-05-06T10:00:00Z" },
};

function event(host: string, at: string, message: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: "shop", name: message },
    involvedObject: { kind: "Pod", namespace: "shop", name: "web" },
    type: "Normal",
    reason: "Started",
    message,
    source: { component: "kubelet", host },
    lastTimestamp: at,
  };
}

const events = [
  event("worker-0", "2026-05-06T11:30:00Z", "Started container web"),
  event("worker-1", "2026-05-06T11:00:00Z", "Started container other"),
  event("worker-0", "2026-05-06T11:00:00Z", "Pulled IMAGE"),
];
const read = (query: string) =>
  journalLines(node, events, parseJournalQuery(new URLSearchParams(query), now)).join("");

describe("the journal of a node", () => {
  test("has the Events of the node's kubelet in order of time", () => {
    assert.equal(
      read(""),
      `May 06 10:00:00.000000 worker-0 systemd[1]: Started Kubernetes Kubelet.
May 06 11:00:00.000000 worker-0 kubenswrapper[2230]: "Event occurred" object="shop/web" kind="Pod" type="Normal" reason="Started" message="Pulled IMAGE"
May 06 11:30:00.000000 worker-0 kubenswrapper[2230]: "Event occurred" object="shop/web" kind="Pod" type="Normal" reason="Started" message="Started container web"
`,
    );
  });

  test("is filtered by time, unit, pattern, boot and number of lines", () => {
    const count = (query: string) => read(query).split("\n").length - 1;
    for (const [query, expected] of [
      ["since=-45m", 1],
      ["since=2026-05-06 11:00:00&until=2026-05-06 11:15:00", 1],
      ["sinceTime=2026-05-06T11:00:00Z", 2],
      ["untilTime=2026-05-06T10:30:00Z", 1],
      ["unit=kubelet", 3],
      ["query=kubelet.service", 3],
      ["unit=crio", 0],
      ["grep=image", 0],
      ["pattern=image&case-sensitive=false", 1],
      ["tail=1", 1],
      ["tailLines=0", 0],
      ["boot=-1", 0],
    ] as const)
      assert.equal(count(query), expected, query);
  });

  test("has the formats of journalctl", () => {
    const last = (output: string) => read(`tail=1&output=${output}`);
    assert.match(last("cat"), /^"Event occurred"/);
    assert.match(last("short"), /^May 06 11:30:00 worker-0/);
    assert.match(last("short-iso"), /^2026-05-06T11:30:00\+0000 worker-0/);
    assert.match(last("short-iso-precise"), /^2026-05-06T11:30:00\.000000\+0000 /);
    assert.match(last("short-unix"), /^1778067000\.000000 worker-0/);
    assert.equal(JSON.parse(last("json"))._SYSTEMD_UNIT, "kubelet.service");
  });

  test("rejects invalid queries", () => {
    for (const [query, message] of [
      ["output=xml", /^output: Unsupported value: "xml"/],
      ["boot=1", /^boot: Invalid value: "1": must be less than 1/],
      ["tail=x", /^tail: Invalid value: "x"/],
      ["tailLines=100001", /^tailLines: Invalid value/],
      ["since=yesterday", /^since: Invalid value: "yesterday"/],
      ["sinceTime=1", /^sinceTime: Invalid value: "1": invalid time format/],
      ["unit=a/b", /^query: Invalid value: "a\/b"/],
      ["unit=a&unit=b&unit=c&unit=d&unit=e", /^query: .*at most 4/],
      ["grep=(", /^pattern: Invalid value/],
    ] as const)
      assert.throws(() => read(query), { message }, query);
  });
});

test("log files of a node are read only within its directory", async () => {
  const root = await mkdtemp(join(tmpdir(), "node-logs-"));
  try {
    const logs = join(root, "node/var/log");
    await mkdir(join(logs, "audit"), { recursive: true });
    await writeFile(join(logs, "audit/audit.log"), "line\n");
    await writeFile(join(root, "secret"), "of the host");
    await symlink(join(root, "secret"), join(logs, "absolute"));
    await symlink("../../../secret", join(logs, "relative"));
    const open = (path: string) => openLogFile(join(root, "node"), path);
    const listed = await open("");
    assert.deepEqual(listed.kind === "directory" && listed.names.toSorted(), [
      "absolute",
      "audit/",
      "relative",
    ]);
    const file = await open("audit/audit.log");
    assert.ok(file.kind === "file");
    let content = "";
    for await (const chunk of file.body) content += String(chunk);
    assert.equal(content, "line\n");
    for (const path of ["absolute", "relative", "../../../secret", "none", "audit/audit.log/x"])
      assert.equal((await open(path)).kind, "missing", path);
  } finally {
    await rm(root, { recursive: true });
  }
});
