import assert from "node:assert/strict";
import { test } from "node:test";
import { expiringCredentials, secretEnd } from "./expiring-credentials.ts";
import { fewWorkers } from "./few-workers.ts";
import { foreignSecurityGroup } from "./foreign-security-group.ts";
import { RecurringQuestion } from "./recurring-question.ts";
import { unsupportedTaints } from "./unsupported-taints.ts";

test("fewer than three workers are too few", () => {
  assert.equal(fewWorkers(3), undefined);
  for (const workers of [0, 2])
    assert.deepEqual(fewWorkers(workers), {
      name: "aro-sre-unsupported-condition",
      reason: "TooFewWorkers",
      text: "Unsupported Cluster State: There needs to be at least 3 worker nodes running",
    });
});

const free: readonly string[] = [];
const taints = [
  { name: "no taints", workers: [free, free, free] },
  { name: "taints on workers that are not needed", workers: [free, free, free, ["gpu"], ["gpu"]] },
  {
    name: "those of infrastructure nodes and of nodes that are not ready",
    workers: [["node-role.kubernetes.io/infra"], ["node.kubernetes.io/unreachable"], free],
  },
  { name: "too few workers, which is a separate warning", workers: [["gpu"], free] },
  { name: "a taint on one of three", workers: [["gpu"], free, free], left: 2, keys: "gpu" },
  {
    name: "many taints",
    workers: [
      ["b", "node.kubernetes.io/not-ready"],
      ["a", "c"],
      ["d", "a"],
    ],
    left: 0,
    keys: "a, b, c and 1 more",
  },
  {
    name: "a key with a supported key as its prefix",
    workers: [["node-role.kubernetes.io/infrared"], free, free],
    left: 2,
    keys: "node-role.kubernetes.io/infrared",
  },
];
for (const { name, workers, left, keys } of taints)
  test(`taints: ${name}`, () => {
    const text = unsupportedTaints(workers)?.text;
    if (keys === undefined) assert.equal(text, undefined);
    else assert.match(text ?? "", new RegExp(`all worker nodes but ${left}, .* without: ${keys}$`));
  });

const subnet = (name: string) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/${name}`;
const group = (name: string) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/${name}`;
const of = (name: string, groupId: string | undefined) => ({
  subnetId: subnet(name),
  groupId,
  wantedId: group("own"),
});

test("security groups: the cluster's own in any case, and none, are not foreign", () => {
  assert.equal(foreignSecurityGroup([]), undefined);
  assert.equal(foreignSecurityGroup([of("a", group("OWN").toUpperCase()), of("b", undefined)]), undefined);
});

test("security groups: foreign ones are named with their subnets, the first of many", () => {
  const text = foreignSecurityGroup([of("b", group("x")), of("a", group("y")), of("c", group("own"))])?.text;
  assert.match(text ?? "", /own: a \(y\), b \(x\)$/);
  const many = ["a", "b", "c", "d", "e"].map((name) => of(name, group("x")));
  assert.match(foreignSecurityGroup(many)?.text ?? "", /: a \(x\), b \(x\), c \(x\) and 2 more$/);
});

const password = (hint: unknown, endDateTime: unknown) => ({ hint, endDateTime });
const ends = [
  {
    name: "its own by the hint",
    of: [password("abc", "2026-02-01T00:00:00Z"), password("xyz", "2027-02-01T00:00:00Z")],
    end: "2026-02-01",
  },
  {
    name: "the last where no hint fits",
    of: [password("x", "2026-02-01T00:00:00Z"), password(null, "2027-02-01T00:00:00Z")],
    end: "2027-02-01",
  },
  { name: "no conditions", of: [] },
  { name: "conditions without a valid time", of: [password("abc", "soon"), null, 7] },
  { name: "conditions that are not a list", of: "none" },
];
for (const { name, of, end } of ends)
  test(`the expiry of the client secret: ${name}`, () =>
    assert.equal(secretEnd({ passwordCredentials: of }, "abcdef")?.toISOString().slice(0, 10), end));

test("credentials are about to expire from 30 days before the expiry, and also afterwards", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const text = (end: string | undefined) =>
    expiringCredentials("id", end === undefined ? undefined : new Date(end), now)?.text;
  assert.equal(text(undefined), undefined);
  assert.equal(text("2026-01-31T00:00:01Z"), undefined);
  assert.match(text("2026-01-31T00:00:00Z") ?? "", /service principal id is valid until 2026-01-31\./);
  assert.match(text("2025-12-31T00:00:00Z") ?? "", /until 2025-12-31\./);
});

test("a query is repeated when its result expires or the subject changes", async () => {
  const question = new RecurringQuestion<number>();
  const asked: (number | undefined)[] = [];
  const ask = async (before: number | undefined) => {
    asked.push(before);
    return { value: asked.length, goodForMs: 10 };
  };
  assert.deepEqual(await question.result("a", 0, ask), { value: 1, leftMs: 10 });
  assert.deepEqual(await question.result("a", 9, ask), { value: 1, leftMs: 1 });
  assert.deepEqual(await question.result("a", 10, ask), { value: 2, leftMs: 10 });
  assert.deepEqual(await question.result("b", 11, ask), { value: 3, leftMs: 10 });
  assert.deepEqual(asked, [undefined, 1, undefined]);
});
