import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, requestBudget, sharedTurns } from "@keelson/apimachinery";
import { WorkBudget } from "@keelson/base";
import { GroupCommit, memoryJournal } from "@keelson/sim-store";
import fc from "fast-check";
import { RevisionStore } from "../storage/revision-store.ts";
import { aggregateRules } from "./aggregate-rules.ts";
import type { Attributes } from "./attributes.ts";
import { RbacAuthorizer } from "./rbac.ts";
import { missingRights } from "./rule-coverage.ts";
import type { User } from "./user.ts";

const group = "rbac.authorization.k8s.io";

async function openStore(): Promise<RevisionStore> {
  const journal = memoryJournal();
  const cluster = await journal.addLog("c", "{}");
  return RevisionStore.open({ journal, commits: new GroupCommit(journal), cluster, nowMs: () => 0 });
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

interface Role {
  readonly plural: "roles" | "clusterroles";
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly Rule[];
}

interface Binding {
  readonly plural: "rolebindings" | "clusterrolebindings";
  readonly namespace: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

const some = (...values: string[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });
const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    verbs: some("get", "list", "*"),
    apiGroups: some("", "apps", "*"),
    resources: some("pods", "pods/log", "*/log", "secrets", "*"),
    resourceNames: fc.subarray(["a", "b"]),
    nonResourceURLs: fc.constant([]),
  }),
  fc.record({
    verbs: some("get", "*"),
    apiGroups: fc.constant([]),
    resources: fc.constant([]),
    resourceNames: fc.constant([]),
    nonResourceURLs: some("/api", "/api/*", "/healthz", "*"),
  }),
);
const names = fc.constantFrom("a", "b");
const places = fc.constantFrom("n1", "n2");
const roles: fc.Arbitrary<Role> = fc.oneof(
  fc.record({
    plural: fc.constant("roles" as const),
    namespace: places,
    name: names,
    rules: fc.array(rules, { maxLength: 2 }),
  }),
  fc.record({
    plural: fc.constant("clusterroles" as const),
    namespace: fc.constant(""),
    name: names,
    rules: fc.array(rules, { maxLength: 2 }),
  }),
);
const subjects = fc.constantFrom(
  { kind: "User", name: "u" },
  { kind: "User", name: "system:serviceaccount:n1:s" },
  { kind: "Group", name: "g" },
  { kind: "Group", name: "system:authenticated" },
  { kind: "ServiceAccount", name: "s", namespace: "n1" },
  { kind: "ServiceAccount", name: "s" },
);
const bindings: fc.Arbitrary<Binding> = fc.oneof(
  fc.record({
    plural: fc.constant("rolebindings" as const),
    namespace: places,
    name: names,
    role: fc.record({ kind: fc.constantFrom("Role", "ClusterRole"), name: names }),
    subjects: fc.array(subjects, { maxLength: 3 }),
  }),
  fc.record({
    plural: fc.constant("clusterrolebindings" as const),
    namespace: fc.constant(""),
    name: names,
    role: fc.record({ kind: fc.constant("ClusterRole"), name: names }),
    subjects: fc.array(subjects, { maxLength: 3 }),
  }),
);
const users: fc.Arbitrary<User> = fc.constantFrom(
  { name: "u", groups: ["system:authenticated"] },
  { name: "v", groups: ["g", "system:authenticated"] },
  { name: "system:serviceaccount:n1:s", groups: ["system:authenticated"] },
  { name: "x", groups: [] },
);
const attributes: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    kind: fc.constant("resource" as const),
    verb: fc.constantFrom("get", "list", "delete"),
    group: fc.constantFrom("", "apps", "batch"),
    resource: fc.constantFrom("pods", "pods/log", "secrets", "jobs", "jobs/log"),
    namespace: fc.constantFrom("", "n1", "n2"),
    name: fc.constantFrom("", "a", "c"),
  }),
  fc.record({
    kind: fc.constant("path" as const),
    verb: fc.constantFrom("get", "post"),
    path: fc.constantFrom("/api", "/api/v1", "/healthz", "/other"),
  }),
);

/** Reference implementation. It checks all bindings one after the other, as Kubernetes documents. */
function reference(
  allRoles: readonly Role[],
  allBindings: readonly Binding[],
  user: User,
  asked: Attributes,
): boolean {
  const namespace = asked.kind === "resource" ? asked.namespace : "";
  return allBindings.some((binding) => {
    if (binding.namespace && (binding.namespace !== namespace || asked.kind === "path")) return false;
    const bound = binding.subjects.some((subject) => {
      if (subject.kind === "Group") return user.groups.includes(subject.name);
      if (subject.kind === "User") return subject.name === user.name;
      return user.name === `system:serviceaccount:${subject.namespace ?? binding.namespace}:${subject.name}`;
    });
    const role = allRoles.find(({ plural, namespace: own, name }) =>
      binding.role.kind === "Role"
        ? plural === "roles" && own === binding.namespace && name === binding.role.name
        : plural === "clusterroles" && name === binding.role.name,
    );
    return bound && (role?.rules ?? []).some((rule) => ruleGrants(rule, asked));
  });
}

function ruleGrants(rule: Rule, asked: Attributes): boolean {
  const in_ = (list: readonly string[], value: string) => list.includes("*") || list.includes(value);
  if (!in_(rule.verbs, asked.verb)) return false;
  if (asked.kind === "path") {
    return rule.nonResourceURLs.some((url) =>
      url.endsWith("*") ? asked.path.startsWith(url.slice(0, -1)) : asked.path === url,
    );
  }
  const [, sub] = asked.resource.split("/");
  const resource = in_(rule.resources, asked.resource) || (sub && rule.resources.includes(`*/${sub}`));
  const named = rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name);
  return in_(rule.apiGroups, asked.group) && Boolean(resource) && named;
}

function write(store: RevisionStore, each: Role | Binding): void {
  const bucket = `${group}/${each.plural}`;
  const key = each.namespace ? `${each.namespace}/${each.name}` : each.name;
  const metadata = { name: each.name, ...(each.namespace ? { namespace: each.namespace } : {}) };
  const content = "rules" in each ? { rules: each.rules } : { roleRef: each.role, subjects: each.subjects };
  const revision = store.get(bucket, key)?.revision ?? 0;
  store.put(bucket, key, revision, { apiVersion: `${group}/v1`, kind: "K", metadata, ...content });
}

/** Returns the last entry of each name. Later entries overwrite earlier ones. */
function latest<T extends Role | Binding>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((each) => [`${each.plural} ${each.namespace} ${each.name}`, each])).values()];
}

test("decisions equal those of the reference implementation despite concurrent changes", async () => {
  const runs = fc.array(
    fc.record({
      role: fc.option(roles),
      binding: fc.option(bindings),
      asks: fc.array(fc.tuple(users, attributes)),
    }),
    { minLength: 1, maxLength: 12 },
  );
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(runs, async (steps) => {
      const store = await openStore();
      const authorizer = new RbacAuthorizer(store);
      const known: { roles: Role[]; bindings: Binding[] } = { roles: [], bindings: [] };
      for (const { role, binding, asks } of steps) {
        if (role) known.roles.push(role);
        if (binding) known.bindings.push(binding);
        for (const each of [role, binding]) if (each) write(store, each);
        await store.settled();
        for (const [user, asked] of asks) {
          const expected = reference(latest(known.roles), latest(known.bindings), user, asked);
          if (expected) granted++;
          assert.equal(authorizer.allows(user, asked), expected);
          assert.equal((await authorizer.decide(user, asked)).allowed, expected);
        }
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(granted > 20, "the examples grant something");
});

test("a deleted binding grants nothing", async () => {
  const store = await openStore();
  const authorizer = new RbacAuthorizer(store);
  const rule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] };
  write(store, { plural: "clusterroles", namespace: "", name: "all", rules: [rule] });
  const role = { kind: "ClusterRole", name: "all" };
  const own = [{ kind: "User", name: "u" }];
  write(store, { plural: "rolebindings", namespace: "n", name: "b", role, subjects: own });
  await store.settled();
  const user = { name: "u", groups: [] };
  const asked = { kind: "resource", verb: "get", group: "", resource: "pods", name: "" } as const;
  assert.equal(authorizer.allows(user, { ...asked, namespace: "n" }), true);
  assert.equal(authorizer.allows(user, { ...asked, namespace: "m" }), false);
  store.remove(`${group}/rolebindings`, "n/b", store.get(`${group}/rolebindings`, "n/b")?.revision ?? 0);
  await store.settled();
  assert.equal(authorizer.allows(user, { ...asked, namespace: "n" }), false);
});

test("the reason of a decision names the binding or the missing role", async () => {
  const store = await openStore();
  const authorizer = new RbacAuthorizer(store);
  const rule = {
    verbs: ["get"],
    apiGroups: [""],
    resources: ["pods"],
    resourceNames: [],
    nonResourceURLs: [],
  };
  write(store, { plural: "clusterroles", namespace: "", name: "reader", rules: [rule] });
  const subjects = [{ kind: "ServiceAccount", name: "s", namespace: "n" }];
  const role = { kind: "ClusterRole", name: "reader" };
  write(store, { plural: "rolebindings", namespace: "n", name: "b", role, subjects });
  const gone = { kind: "ClusterRole", name: "gone" };
  write(store, { plural: "clusterrolebindings", namespace: "", name: "c", role: gone, subjects });
  await store.settled();
  const user = { name: "system:serviceaccount:n:s", groups: [] };
  const asked = { kind: "resource", verb: "get", group: "", resource: "pods", name: "" } as const;
  assert.deepEqual(await authorizer.decide(user, { ...asked, namespace: "n" }), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "b/n" of ClusterRole "reader" to ServiceAccount "s/n"',
  });
  assert.deepEqual(await authorizer.decide(user, { ...asked, namespace: "m" }), {
    allowed: false,
    reason: `RBAC: clusterrole.${group} "gone" not found`,
  });
});

test("a decision is correct among ten thousand unrelated bindings while they change", async () => {
  const store = await openStore();
  const authorizer = new RbacAuthorizer(store);
  const rule = {
    verbs: ["get"],
    apiGroups: [""],
    resources: ["pods"],
    resourceNames: [],
    nonResourceURLs: [],
  };
  write(store, { plural: "clusterroles", namespace: "", name: "reader", rules: [rule] });
  const role = { kind: "ClusterRole", name: "reader" };
  for (let i = 0; i < 10_000; i++) {
    const subjects = [{ kind: "User", name: `u${i}` }];
    write(store, { plural: "rolebindings", namespace: `n${i % 100}`, name: `b${i}`, role, subjects });
  }
  await store.settled();
  const user = { name: "u5", groups: ["system:authenticated"] };
  const asked = {
    kind: "resource",
    verb: "get",
    group: "",
    resource: "pods",
    namespace: "n5",
    name: "",
  } as const;
  assert.equal(authorizer.allows(user, asked), true);
  for (let i = 0; i < 1_000; i++) {
    // The index processes only the changed binding, so the next decision remains fast.
    if (i % 100 === 0) {
      write(store, { plural: "rolebindings", namespace: "n1", name: "b1", role, subjects: [] });
      await store.settled();
    }
    assert.equal(authorizer.allows(user, asked), true);
  }
});

test("held permissions cover granted ones, and missing ones are listed one per line", () => {
  const rule = (part: Partial<Rule>): Rule => ({
    verbs: ["get"],
    apiGroups: [""],
    resources: [],
    resourceNames: [],
    nonResourceURLs: [],
    ...part,
  });
  const path = (...nonResourceURLs: string[]) => rule({ apiGroups: [], nonResourceURLs });
  const rows: readonly (readonly [held: Rule[], wanted: Rule[], missing: string[]])[] = [
    [[rule({ resources: ["pods"] })], [rule({ resources: ["pods"], resourceNames: ["a"] })], []],
    [
      [rule({ resources: ["pods"], resourceNames: ["a"] })],
      [rule({ resources: ["pods"] })],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      [rule({ resources: ["pods"] })],
      [rule({ resources: ["pods", "secrets"], verbs: ["get", "list"] })],
      [
        '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      ],
    ],
    [[rule({ resources: ["*/status"] })], [rule({ resources: ["pods/status"] })], []],
    [[rule({ resources: ["*"] })], [rule({ resources: ["pods/status"] })], []],
    [
      [rule({ resources: ["pods"] })],
      [rule({ resources: ["*"] })],
      ['{APIGroups:[""], Resources:["*"], Verbs:["get"]}'],
    ],
    [[path("/api/*")], [path("/api/v1", "/api/*")], []],
    [[path("/api")], [path("/api/*")], ['{NonResourceURLs:["/api/*"], Verbs:["get"]}']],
    [
      [],
      [rule({ resources: ["pods"], resourceNames: ["a", "b"] })],
      [
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
        '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      ],
    ],
  ];
  for (const [held, wanted, missing] of rows) {
    assert.deepEqual(atOnce(missingRights(held, wanted, requestBudget())), missing);
  }
});

test("the enumeration of permissions is limited by the budget instead of memory", () => {
  const many = (prefix: string) => Array.from({ length: 300 }, (_, at) => `${prefix}${at}`);
  const wide = {
    apiGroups: many("g"),
    resources: many("r"),
    verbs: many("v"),
    resourceNames: [],
    nonResourceURLs: [],
  };
  const missing = atOnce(missingRights([], [wide], requestBudget()));
  assert.equal(missing.at(-1), "and more");
  assert.ok(missing.length < 1_002, `${missing.length} lines`);
  assert.throws(() => atOnce(missingRights([wide], [wide], requestBudget())), { code: "WorkBudgetExceeded" });
  assert.ok([...missingRights([], [wide], requestBudget())].length < 2);
  const budget = new WorkBudget({ nodes: 100_000, bytes: 0, timeMs: 60_000 });
  const parts = missingRights([wide], [wide], budget);
  assert.ok([parts.next(), parts.next(), parts.next()].every(({ done }) => !done));
});

test("a decision among many rules runs in turns", async () => {
  const store = await openStore();
  const authorizer = new RbacAuthorizer(store);
  const others = Array.from({ length: 5_000 }, (_, at) => ({
    verbs: ["get"],
    apiGroups: [""],
    resources: [`r${at}`],
    resourceNames: [],
    nonResourceURLs: [],
  }));
  write(store, { plural: "clusterroles", namespace: "", name: "large", rules: others });
  const role = { kind: "ClusterRole", name: "large" };
  const subjects = [{ kind: "User", name: "u" }];
  write(store, { plural: "clusterrolebindings", namespace: "", name: "b", role, subjects });
  await store.settled();
  const user = { name: "u", groups: [] };
  const asked = {
    kind: "resource",
    verb: "get",
    group: "",
    resource: "pods",
    name: "",
    namespace: "",
  } as const;
  const decision = authorizer.decide(user, asked);
  assert.ok(sharedTurns.waiting > 0);
  assert.equal((await decision).allowed, false);
});

test("aggregated rules are collected in parts, each role once, up to the object size limit", () => {
  const labels = { part: "yes" };
  const partOf = (name: string, rules: readonly object[]) => ({
    key: name,
    labels,
    object: { apiVersion: "v1", kind: "ClusterRole", metadata: { name }, rules },
  });
  const rulesOf = (role: number) => Array.from({ length: 100 }, (_, at) => ({ verbs: [`${role}-${at}`] }));
  const all = Array.from({ length: 100 }, (_, at) => partOf(`r${at}`, rulesOf(at)));
  const whole = {
    apiVersion: "v1",
    kind: "ClusterRole",
    metadata: { name: "whole" },
    aggregationRule: { clusterRoleSelectors: Array.from({ length: 100 }, () => ({ matchLabels: labels })) },
  };
  const parts = aggregateRules(whole, all);
  let count = 0;
  let step = parts.next();
  for (; !step.done; count++) step = parts.next();
  assert.ok(count >= 10, `${count} parts`);
  assert.deepEqual(
    step.value,
    all.flatMap(({ object }) => object.rules),
  );
  const more = Array.from({ length: 500 }, (_, at) => partOf(`m${at}`, rulesOf(at)));
  assert.throws(() => atOnce(aggregateRules(whole, more)), { code: 413 });
});
