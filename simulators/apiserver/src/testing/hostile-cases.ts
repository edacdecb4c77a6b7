import type { HostileCall, HostileClient } from "./hostile-client.ts";

/** Kind of hostile request. Such requests must not block other clients. */
export interface HostileCase {
  readonly name: string;
  /** Creates the objects that the requests need. */
  readonly prepare?: (client: HostileClient) => Promise<void>;
  /** Requests that are sent repeatedly, one after the other. */
  readonly calls: () => readonly (HostileCall & { readonly codes: readonly number[] })[];
}

const maps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/** Expected status codes of requests beyond the limits. The code depends on the limit that is reached first. */
const refused = [400, 413, 422];

function many<T>(count: number, one: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => one(at));
}

const record = (count: number, value: (at: number) => unknown) =>
  Object.fromEntries(many(count, (at) => [`k${at}`, value(at)]));

function configMap(name: string, data: object, metadata: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

interface Definition {
  readonly spec: object;
  readonly columns?: readonly object[];
}

/** Returns a CustomResourceDefinition with the name `name`, and the path of its objects. */
function custom(name: string, { spec, columns = [] }: Definition) {
  const kind = name[0]?.toUpperCase() + name.slice(1);
  const plural = `${name}s`;
  const path = `/apis/hostile.example/v1/namespaces/default/${plural}`;
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.hostile.example` },
    spec: {
      group: "hostile.example",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
          ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
        },
      ],
    },
  };
  return {
    path,
    object: (objectName: string, value: unknown, metadata: object = {}) => ({
      apiVersion: "hostile.example/v1",
      kind,
      metadata: { name: objectName, ...metadata },
      spec: value,
    }),
    define: async (client: HostileClient) => {
      await client.create(definitions, definition);
      await client.until(200, { path });
    },
  };
}

const mapList = custom("keyed", {
  spec: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  },
});
const items = many(15_000, (at) => ({ name: `n${at}` }));
const unchanged = mapList.object("unchanged", items);
// With the managed fields of three managers, the object has etcd's maximum size.
const applied = mapList.object("applied", items.slice(0, 8_000));

const patterned = custom("pattern", {
  spec: { type: "array", items: { type: "string", pattern: "[ab][ab]*a[ab]{500}[yz]" } },
});
const ab = (length: number) => many(length, (at) => "ab"[(Math.imul(at, 2_654_435_761) >>> 31) & 1]).join("");

const columned = custom("column", {
  spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  columns: [{ name: "All", type: "string", jsonPath: `.spec${"..a".repeat(6)}` }],
});
const nested = (depth: number): object =>
  many(depth, (at) => at).reduce<object>((inner) => ({ a: inner }), {});

const ruled = custom("ruled", {
  spec: {
    type: "object",
    additionalProperties: { type: "string", maxLength: 10 },
    maxProperties: 1_000,
    "x-kubernetes-validations": many(15, (at) => ({
      rule: `self.all(a, self.all(b, a != '${at}' && b != 'x'))`,
    })),
  },
});

const free = custom("free", { spec: { type: "string" } });

const secrets = "/api/v1/namespaces/default/secrets";
function secret(at: number, letter: string) {
  const metadata = { name: `large-${at}` };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    data: { a: Buffer.from(letter.repeat(750_000)).toString("base64") },
  };
}

const everyForm = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
];

/**
 * Returns a case with a policy. The policy's expression is evaluated for all ConfigMaps that have the policy's name as a label.
 */
function policyCase(name: string, expression: string, data: object): HostileCase {
  const probe = configMap(`policy-${name}`, data, { labels: { policy: name } });
  return {
    name: `expression ${name}`,
    prepare: async (client) => {
      await client.create(policies, {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicy",
        metadata: { name },
        spec: {
          matchConstraints: {
            objectSelector: { matchLabels: { policy: name } },
            resourceRules: [
              { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
            ],
          },
          validations: [{ expression }],
        },
      });
      await client.create(bindings, {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: { name },
        spec: { policyName: name, validationActions: ["Deny"] },
      });
      await client.until(200, { path: `${bindings}/${name}` });
    },
    calls: () => [
      {
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: JSON.stringify(probe),
        codes: [201, 413, 422, 429],
      },
    ],
  };
}

/** Returns a ConfigMap with `count` empty owner references as a Kubernetes protocol buffer message. */
function emptyOwners(count: number): Buffer {
  const field = (number: number, content: Buffer) => {
    const length: number[] = [];
    let rest = content.length;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) length.push((rest % 128) | 0x80);
    length.push(rest);
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
  };
  const metadata = Buffer.concat([
    field(1, Buffer.from("owners")),
    Buffer.alloc(2 * count, Buffer.from([(13 << 3) | 2, 0])),
  ]);
  const type = Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from("ConfigMap"))]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, field(1, metadata))]);
}

const aliases = [
  "a0: &a0 [x,x,x,x,x,x,x,x,x]",
  ...many(12, (at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`),
].join("\n");

const env = (count: number) => many(count, (at) => ({ name: `n${at}`, value: "v" }));
const pod = (entries: readonly object[]) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "env" },
  spec: { containers: [{ name: "a", image: "a", env: entries }] },
});
const put = (name: string, manager: string) => `${mapList.path}/${name}?fieldManager=${manager}&force=true`;

const templates = "/api/v1/namespaces/default/podtemplates";
const template = {
  apiVersion: "v1",
  kind: "PodTemplate",
  metadata: { name: "woken" },
  template: { spec: { containers: [{ name: "a", image: "a" }] } },
};

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const rbacType = (kind: string, name: string) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind,
  metadata: { name },
});
const toRole = (name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name });
const toGranter = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "granter" }];
const ruleOf = (resources: readonly string[]) => ({ apiGroups: ["x"], resources, verbs: ["get"] });
const asGranter = { "impersonate-user": "granter" };

const limited = { apiVersion: "v1", metadata: { name: "limited" } };
const partOf = (at: number, verb: string) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: `part-${at}`, labels: { part: "yes" } },
  rules: many(20, (rule) => ({ apiGroups: ["x"], resources: [`p${at}-${rule}`], verbs: [verb] })),
});

/** Requests that blocked a server in the past, and similar requests. */
export const hostileCases: readonly HostileCase[] = [
  policyCase(
    "ranges-below-zero",
    "[0].all(x, lists.range(-1000000000).size() == 0) && object.data.all(a, object.data.all(b, a != '' && b != ''))",
    record(3_000, () => "v"),
  ),
  policyCase(
    "nested-keys",
    "object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != '')))",
    record(3_000, () => "v"),
  ),
  policyCase(
    "distinct",
    "object.data.map(k, k).map(a, object.data.map(k, k + a).distinct().size()).sum() == 0",
    record(3_000, () => "v"),
  ),
  policyCase(
    "patterns",
    "object.data.all(k, !object.data[k].matches('[ab][ab]*a[ab]{500}[yz]'))",
    record(500, () => ab(1_900)),
  ),
  policyCase(
    "long-texts",
    "object.data.map(k, k).all(k, object.data.map(j, object.data[j]).sort().size() > 0 && object.data.map(j, object.data[j]).join().indexOf(object.data[k] + 'b') < 0)",
    record(20, () => "a".repeat(40_000)),
  ),
  {
    name: "rules of a definition at their limit",
    prepare: ruled.define,
    calls: () => [
      {
        method: "POST",
        path: ruled.path,
        body: JSON.stringify(
          ruled.object(
            "a",
            record(999, () => "v"),
          ),
        ),
        codes: [422],
      },
    ],
  },
  {
    name: "15,000 items of a map list written again, 8,000 applied again",
    prepare: async (client) => {
      await mapList.define(client);
      await client.create(mapList.path, unchanged);
      await client.create(mapList.path, applied);
    },
    calls: () => [
      {
        method: "PATCH",
        path: `${mapList.path}/unchanged`,
        type: "application/merge-patch+json",
        body: JSON.stringify(unchanged),
        codes: [200],
      },
      {
        method: "PATCH",
        path: `${mapList.path}/unchanged`,
        type: "application/merge-patch+json",
        body: JSON.stringify({ ...unchanged, spec: items.toReversed() }),
        codes: [200],
      },
      {
        method: "PATCH",
        path: put("applied", "one"),
        type: "application/apply-patch+yaml",
        body: JSON.stringify(applied),
        codes: [200],
      },
      {
        method: "PATCH",
        path: put("applied", "two"),
        type: "application/apply-patch+yaml",
        body: JSON.stringify(applied),
        codes: [200],
      },
      {
        method: "POST",
        path: mapList.path,
        body: JSON.stringify(
          mapList.object(
            "same",
            many(15_000, () => ({ name: "n" })),
          ),
        ),
        codes: [422],
      },
    ],
  },
  {
    name: "a strategic merge of 19,000 variables into 14,000",
    prepare: (client) => client.create(pods, pod(env(14_000))),
    calls: () => [
      {
        method: "PATCH",
        path: `${pods}/env?dryRun=All`,
        type: "application/strategic-merge-patch+json",
        body: JSON.stringify(pod(env(19_000).toReversed())),
        codes: [200, 422],
      },
    ],
  },
  {
    name: "9,999 copies",
    prepare: (client) =>
      client.create(
        maps,
        configMap(
          "copies",
          record(500, () => "x".repeat(100)),
        ),
      ),
    calls: () => [
      {
        method: "PATCH",
        path: `${maps}/copies`,
        type: "application/json-patch+json",
        body: JSON.stringify(many(9_999, (at) => ({ op: "copy", from: "/data/k1", path: `/data/c${at}` }))),
        codes: [413, 422],
      },
      {
        method: "PATCH",
        path: `${maps}/copies`,
        type: "application/json-patch+json",
        body: JSON.stringify(many(9_999, (at) => ({ op: "copy", from: "/data", path: `/data/c${at}` }))),
        codes: [413],
      },
    ],
  },
  {
    name: "9,999 insertions at the front of a long list",
    prepare: async (client) =>
      client.create(maps, configMap("front", {}, { finalizers: many(15_000, (at) => `example.com/f${at}`) })),
    calls: () => [
      {
        method: "PATCH",
        path: `${maps}/front?dryRun=All`,
        type: "application/json-patch+json",
        body: JSON.stringify(
          many(9_999, (at) => ({ op: "add", path: "/metadata/finalizers/0", value: `example.com/g${at}` })),
        ),
        codes: [200],
      },
    ],
  },
  {
    name: "1.5 million empty owner references",
    calls: () => [
      {
        method: "POST",
        path: maps,
        type: "application/vnd.kubernetes.protobuf",
        body: emptyOwners(1_500_000),
        codes: refused,
      },
    ],
  },
  {
    name: "38,000 empty owner references",
    calls: () => [
      {
        method: "POST",
        path: maps,
        type: "application/vnd.kubernetes.protobuf",
        body: emptyOwners(38_000),
        codes: [422],
      },
    ],
  },
  {
    name: "long YAML documents, aliases and many documents",
    calls: () => [
      {
        method: "POST",
        path: maps,
        type: "application/yaml",
        body: `metadata:\n  name: y\ndata:\n${many(45_000, (at) => `  k${at}: ${"v".repeat(40)}`).join("\n")}`,
        codes: [400, 429],
      },
      { method: "POST", path: maps, type: "application/yaml", body: aliases, codes: [400] },
      {
        method: "POST",
        path: maps,
        type: "application/yaml",
        body: "---\na: 1\n".repeat(300_000),
        codes: [400, 429],
      },
    ],
  },
  {
    name: "39,000 members",
    calls: () => [
      {
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: JSON.stringify(
          configMap(
            "wide",
            record(39_000, () => "v"),
          ),
        ),
        codes: [201],
      },
      {
        method: "POST",
        path: `${maps}?dryRun=All`,
        body: JSON.stringify(configMap("labels", {}, { labels: record(39_000, () => "-") })),
        codes: [422],
      },
    ],
  },
  {
    name: "a pattern with catastrophic backtracking on long strings",
    prepare: patterned.define,
    calls: () => [
      {
        method: "POST",
        path: `${patterned.path}?dryRun=All`,
        body: JSON.stringify(patterned.object("a", [ab(2_900_000)])),
        codes: [413, 422],
      },
      {
        method: "POST",
        path: `${patterned.path}?dryRun=All`,
        body: JSON.stringify(
          patterned.object(
            "a",
            many(30_000, () => ab(60)),
          ),
        ),
        codes: [413, 422],
      },
    ],
  },
  {
    name: "a column with repeated recursive descents",
    prepare: async (client) => {
      await columned.define(client);
      await client.create(columned.path, columned.object("a", nested(400)));
    },
    calls: () => [
      {
        path: columned.path,
        headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
        codes: [200, 413],
      },
    ],
  },
  {
    name: "selectors of 60 kB over 2,000 objects",
    prepare: async (client) => {
      for (let at = 0; at < 2_000; at++) {
        await client.create(maps, configMap(`selected-${at}`, {}, { labels: { a: "b" } }));
      }
    },
    calls: () => [
      // The first selector has the maximum of 1,000 terms. The second selector has far more terms.
      { path: `${maps}?limit=1&labelSelector=${many(1_000, () => "a!=x").join(",")}`, codes: [200, 413] },
      { path: `${maps}?limit=1&labelSelector=${many(9_000, () => "a!=x").join(",")}`, codes: [400] },
      {
        path: `${maps}?limit=1&labelSelector=${encodeURIComponent(`a in (${many(10_000, () => "x").join()})`)}`,
        codes: [200, 413],
      },
      {
        path: `${maps}?limit=1&labelSelector=${encodeURIComponent(`a in (${many(20_000, () => "x").join()})`)}`,
        codes: [431],
      },
      {
        path: `${maps}?limit=1&fieldSelector=${many(1_000, () => "metadata.name!=x").join(",")}`,
        codes: [200, 413],
      },
      {
        path: `${maps}?limit=1&fieldSelector=${many(2_500, () => "metadata.name!=x").join(",")}`,
        codes: [400],
      },
    ],
  },
  {
    name: "lists of 1,500 objects",
    prepare: async (client) => {
      for (let at = 0; at < 1_500; at += 50) {
        const some = many(50, (each) => configMap(`listed-${at + each}`, { a: "x".repeat(2_000) }));
        await Promise.all(some.map((each) => client.create(maps, each)));
      }
    },
    calls: () => everyForm.map((accept) => ({ path: maps, headers: { accept }, codes: [200, 429] })),
  },
  {
    name: "objects of a megabyte, written and listed",
    prepare: async (client) => {
      for (let at = 0; at < 10; at++) await client.create(secrets, secret(at, "a"));
    },
    calls: () => [
      ...many(2, (at) => ({
        method: "PUT" as const,
        path: `${secrets}/large-0`,
        body: JSON.stringify(secret(0, "bc"[at] ?? "")),
        codes: [200, 409],
      })),
      ...everyForm.map((accept) => ({ path: secrets, headers: { accept }, codes: [200, 429] })),
    ],
  },
  {
    name: "an object above etcd's size limit",
    prepare: free.define,
    calls: () => [
      {
        method: "POST",
        path: free.path,
        body: JSON.stringify(free.object("a", "x".repeat(2_900_000))),
        codes: [413],
      },
    ],
  },
  {
    name: "a user with 20 roles of 5,000 rules each, and one who grants permissions that they do not have",
    prepare: async (client) => {
      const own = [
        { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create"] },
        { apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectrulesreviews"], verbs: ["create"] },
      ];
      for (const name of ["granter", ...many(20, (at) => `rules-${at}`)]) {
        const rules = name === "granter" ? own : many(5_000, (at) => ruleOf([`r${at}`]));
        await client.create(`${rbac}/clusterroles`, { ...rbacType("ClusterRole", name), rules });
        await client.create(`${rbac}/clusterrolebindings`, {
          ...rbacType("ClusterRoleBinding", name),
          roleRef: toRole(name),
          subjects: toGranter,
        });
      }
    },
    calls: () => [
      { path: maps, headers: asGranter, codes: [403] },
      {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        headers: asGranter,
        body: JSON.stringify({
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectRulesReview",
          spec: { namespace: "default" },
        }),
        codes: [201],
      },
      ...[
        many(5_000, (at) => ruleOf([`q${at}`])),
        [{ apiGroups: many(300, String), resources: many(300, String), verbs: many(300, String) }],
      ].map((rules) => ({
        method: "POST" as const,
        path: `${rbac}/namespaces/default/roles?dryRun=All`,
        headers: asGranter,
        body: JSON.stringify({ ...rbacType("Role", "granted"), rules }),
        codes: [403, 413],
      })),
    ],
  },
  {
    name: "writes that wake 200 watches with selectors of 900 terms",
    prepare: async (client) => {
      const path = `${templates}?watch=1&labelSelector=${many(900, () => "a!=x").join(",")}`;
      // The watches stay open until their connections close.
      for (let at = 0; at < 200; at++) void client.call({ path }).catch(() => undefined);
    },
    calls: () => [
      { method: "POST", path: templates, body: JSON.stringify(template), codes: [201, 409] },
      { method: "DELETE", path: `${templates}/woken`, codes: [200, 404] },
    ],
  },
  {
    name: "200 LimitRanges for 500 containers",
    prepare: async (client) => {
      await client.create("/api/v1/namespaces", { ...limited, kind: "Namespace" });
      const limit = { type: "Container", default: { cpu: "1" }, max: { cpu: "2" } };
      for (let at = 0; at < 200; at++) {
        await client.create("/api/v1/namespaces/limited/limitranges", {
          ...limited,
          kind: "LimitRange",
          metadata: { name: `limits-${at}` },
          spec: { limits: [limit] },
        });
      }
    },
    calls: () => [
      {
        method: "POST",
        path: "/api/v1/namespaces/limited/pods?dryRun=All",
        body: JSON.stringify({
          ...limited,
          kind: "Pod",
          spec: { containers: many(500, (at) => ({ name: `c${at}`, image: "a" })) },
        }),
        codes: [201],
      },
    ],
  },
  {
    name: "a change of a role that 50 aggregated roles with 50 selectors include",
    prepare: async (client) => {
      const labels = { part: "yes" };
      for (let at = 0; at < 50; at++) {
        const name = `aggregated-${at}`;
        const clusterRoleSelectors = many(50, () => ({ matchLabels: labels }));
        const own = { ...rbacType("ClusterRole", name), aggregationRule: { clusterRoleSelectors } };
        await client.create(`${rbac}/clusterroles`, own);
      }
      for (let at = 0; at < 200; at++) await client.create(`${rbac}/clusterroles`, partOf(at, "get"));
    },
    calls: () =>
      many(20, (at) => ({
        method: "PUT" as const,
        path: `${rbac}/clusterroles/part-${at % 2}`,
        body: JSON.stringify(partOf(at % 2, `verb${at}`)),
        codes: [200, 409],
      })),
  },
  {
    name: "a bomb of gzip",
    calls: () => [
      {
        method: "POST",
        path: maps,
        headers: { "content-encoding": "gzip" },
        body: Buffer.alloc(2_900_000, 0x1f),
        codes: [400, 415],
      },
    ],
  },
  {
    name: "definitions of a megabyte and their OpenAPI documents",
    calls: () => [
      ...many(3, (at) => {
        const large = `large${at}`;
        const properties = record(5_000, () => ({
          type: "string",
          description: "x".repeat(120),
          pattern: `^(${large}|b{1,100}){1,5}$`,
        }));
        const definition = {
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          metadata: { name: `${large}s.hostile.example` },
          spec: {
            group: "hostile.example",
            scope: "Namespaced",
            names: { plural: `${large}s`, kind: `L${large}` },
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: "object", properties } },
              },
            ],
          },
        };
        return {
          method: "POST" as const,
          path: definitions,
          body: JSON.stringify(definition),
          codes: [201, 409],
        };
      }),
      { path: "/openapi/v2", codes: [200] },
      { path: "/openapi/v3/apis/hostile.example/v1", codes: [200, 404] },
      {
        path: "/apis",
        headers: { accept: "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io" },
        codes: [200],
      },
      ...many(3, (at) => ({
        method: "DELETE" as const,
        path: `${definitions}/large${at}s.hostile.example`,
        codes: [200, 404],
      })),
    ],
  },
];
