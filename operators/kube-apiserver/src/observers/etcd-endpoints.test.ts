import assert from "node:assert/strict";
import { test } from "node:test";
import { dataObject, observe } from "../testing/observe.ts";
import { observeEtcdEndpoints } from "./etcd-endpoints.ts";

const endpoints = (data: object, annotations?: Readonly<Record<string, string>>) =>
  dataObject("ConfigMap", "openshift-etcd/etcd-endpoints", { data }, annotations);
const servers = (...urls: readonly string[]) => ({ apiServerArguments: { "etcd-servers": urls } });

test("acceptance 3: members are sorted and always include localhost", () => {
  const expected = servers("https://10.0.0.1:2379", "https://10.0.0.2:2379", "https://localhost:2379");
  const observed = observe(observeEtcdEndpoints, [endpoints({ a: "10.0.0.2", b: "10.0.0.1" })]);
  assert.deepEqual(observed.config, expected);
  assert.equal(
    observed.events[0]?.message,
    "Updated storage urls to https://10.0.0.1:2379,https://10.0.0.2:2379,https://localhost:2379",
  );
  const shuffled = observe(
    observeEtcdEndpoints,
    [endpoints({ y: "10.0.0.1", x: "10.0.0.2" })],
    observed.config,
  );
  assert.deepEqual(shuffled.config, expected);
  assert.deepEqual(shuffled.events, []);
});

test("addresses are canonical, that of the bootstrap machine is one of them", () => {
  const data = { a: "::ffff:10.0.0.1", b: "FD01:0:0::0001" };
  const annotations = { "alpha.installer.openshift.io/etcd-bootstrap": "10.0.0.9" };
  assert.deepEqual(
    observe(observeEtcdEndpoints, [endpoints(data, annotations)]).config,
    servers(
      "https://10.0.0.1:2379",
      "https://10.0.0.9:2379",
      "https://[fd01::1]:2379",
      "https://localhost:2379",
    ),
  );
});

test("invalid addresses are omitted and named", () => {
  const observed = observe(observeEtcdEndpoints, [
    endpoints({ a: "etcd-0", b: "192.0.2.7", c: "2001:db8::1", d: "10.0.0.1", e: "fe80::1%eth0" }),
  ]);
  assert.deepEqual(observed.config, servers("https://10.0.0.1:2379", "https://localhost:2379"));
  assert.deepEqual(observed.errors, [
    "configmaps/etcd-endpoints in the openshift-etcd namespace: etcd-0 is not a valid IP address",
    "configmap openshift-etcd/etcd-endpoints: address 192.0.2.7 is reserved and not supported",
    "configmap openshift-etcd/etcd-endpoints: address 2001:db8::1 is reserved and not supported",
    "configmaps/etcd-endpoints in the openshift-etcd namespace: fe80::1%eth0 is not a valid IP address",
  ]);
});

test("without addresses only localhost remains, with a warning", () => {
  const observed = observe(observeEtcdEndpoints, [endpoints({})], servers("https://10.0.0.1:2379"));
  assert.deepEqual(observed.config, servers("https://localhost:2379"));
  assert.deepEqual(observed.errors, [
    "configmaps openshift-etcd/etcd-endpoints: no etcd endpoint addresses found",
  ]);
  assert.deepEqual(
    observed.events.map(({ reason }) => reason),
    ["ObserveStorageFailed", "ObserveStorageUpdated"],
  );
});

test("a missing ConfigMap keeps the previous members", () => {
  const before = servers("https://10.0.0.1:2379", "https://localhost:2379");
  const observed = observe(observeEtcdEndpoints, [], before);
  assert.deepEqual(observed.config, before);
  assert.deepEqual(observed.errors, ['configmap "etcd-endpoints" not found']);
  assert.deepEqual(
    observed.events.map(({ reason, message }) => [reason, message]),
    [
      [
        "ObserveStorageFailed",
        'Error getting openshift-etcd/etcd-endpoints configmap: configmap "etcd-endpoints" not found',
      ],
    ],
  );
});

const hostEtcd = (subsets: unknown, suffix = "example.com") =>
  dataObject(
    "Endpoints",
    "kube-system/host-etcd",
    { subsets },
    { "alpha.installer.openshift.io/dns-suffix": suffix },
  );
const hosts = [
  {
    addresses: [
      { ip: "192.0.2.1", hostname: "etcd-1" },
      { ip: "192.0.2.2", hostname: "etcd-0" },
    ],
  },
];
const urls = ["https://etcd-1.example.com:2379", "https://etcd-0.example.com:2379"];

test("the Endpoints of kube-system name etcd by hosts, in their order", () => {
  const observed = observe(observeEtcdEndpoints, [hostEtcd(hosts)]);
  assert.deepEqual(observed.config, { ...servers(...urls), storageConfig: { urls } });
});

test("URLs at the previous path are used until members exist", () => {
  const old = { storageConfig: { urls } };
  assert.deepEqual(observe(observeEtcdEndpoints, [], old).config, { ...servers(...urls), ...old });
});

const wrong: readonly (readonly [string, ReturnType<typeof dataObject>, string])[] = [
  [
    "no suffix",
    dataObject("Endpoints", "kube-system/host-etcd", { subsets: hosts }),
    "alpha.installer.openshift.io/dns-suffix annotation not found",
  ],
  ["no host", hostEtcd([{ addresses: [{ ip: "1.2.3.4" }] }]), "subsets[0]addresses[0].hostname not found"],
  ["no addresses", hostEtcd([]), "no etcd endpoint addresses found"],
];
for (const [name, object, message] of wrong)
  test(`Endpoints with ${name} keep the previous URLs`, () => {
    const observed = observe(observeEtcdEndpoints, [object, endpoints({ a: "10.0.0.1" })], {
      storageConfig: { urls },
    });
    assert.deepEqual(observed.config.storageConfig, { urls });
    assert.deepEqual(observed.errors, [`endpoints/host-etcd.kube-system: ${message}`]);
  });
