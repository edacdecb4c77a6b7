import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainObject, objectAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { mergeConfigs, type SparseConfig } from "@keelson/operator-kit";
import fc from "fast-check";
import { goodCluster, goodVersion } from "../testing/good-cluster.ts";
import { observe } from "../testing/observe.ts";
import { configObservers } from "./observers.ts";

type Path = readonly (string | number)[];

const good = await goodCluster();
const observers = configObservers(goodVersion);
const keyOf = ({ kind, metadata: { namespace, name } }: KubeObject) =>
  namespace === undefined ? kind : `${kind} ${namespace}/${name}`;

/**
 * Expected configuration after the deletion of an object, by observer. An observer without an entry keeps the previous values.
 */
const unsaid: Readonly<Record<string, readonly [object: string, config: SparseConfig]>> = {
  ObserveAdditionalCORSAllowedOrigins: [
    "APIServer",
    { corsAllowedOrigins: ["//127\\.0\\.0\\.1(:|$)", "//localhost(:|$)"] },
  ],
  ObserveAllowedRegistriesForImport: ["Image", {}],
  ObserveAuthMetadata: ["Authentication", {}],
  ObserveDefaultNodeSelector: ["Scheduler", {}],
  ObserveExternalIPPolicy: [
    "Network",
    {
      admission: {
        pluginConfig: {
          "network.openshift.io/ExternalIPRanger": {
            configuration: {
              apiVersion: "network.openshift.io/v1",
              kind: "ExternalIPRangerAdmissionConfig",
              allowIngressIP: false,
            },
          },
        },
      },
    },
  ],
  ObserveExternalRegistryHostnames: ["Image", {}],
  ObserveInternalRegistryHostname: ["Image", {}],
  ObserveNamedCertificates: ["APIServer", {}],
  ObserveProxyConfig: ["Proxy", {}],
  ObserveServicesNodePortRange: ["Network", {}],
  // If the Network is deleted, the values come from the install-config, which this observer reads in its old format (2018).
  ObserveServicesSubnet: [
    "Network",
    { servicesSubnet: "10.3.0.0/16", servingInfo: { bindAddress: "0.0.0.0:6443", bindNetwork: "tcp4" } },
  ],
  ObserveTLSSecurityProfile: [
    "APIServer",
    {
      servingInfo: {
        minTLSVersion: "VersionTLS12",
        cipherSuites: [
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        ],
      },
    },
  ],
  ObserveWebhookTokenAuthenticator: ["Authentication", {}],
};

/** Observers that have no configuration path, or that do not apply to the cluster of this test. */
const withoutConfig = ["ObserveCloudProvider", "ObserveExternalOIDC", "ObserveUserClientCABundle"];

for (const observer of observers) {
  const { name } = observer;
  const { config, errors } = observe(observer, good);

  test(`${name} observes a good cluster, the same over and over`, () => {
    assert.deepEqual(errors, []);
    assert.equal(Object.keys(config).length > 0, !withoutConfig.includes(name));
    const again = observe(observer, good.toReversed(), config);
    assert.deepEqual([again.config, again.events], [config, []]);
  });

  test(`${name} keeps its observed values when an object is deleted`, () => {
    for (const object of good) {
      const left = good.filter((each) => each !== object);
      const [from, otherwise] = unsaid[name] ?? [];
      const expected = keyOf(object) === from ? otherwise : config;
      assert.deepEqual(observe(observer, left, config).config, expected, `without ${keyOf(object)}`);
    }
  });

  test(`${name} keeps its observed values when a field has a different type`, () => {
    for (const [index, object] of good.entries())
      for (const { path, value } of members(object))
        for (const wrong of ofOtherTypes(value)) {
          const objects = good.with(index, replaced(object, path, wrong) as KubeObject);
          const text = `${keyOf(object)} with ${path.join(".")} as ${JSON.stringify(wrong)}`;
          assert.deepEqual(observe(observer, objects, config).config, config, text);
        }
  });
}

test("a malformed object never changes the configuration", () => {
  const existing = mergeConfigs(observers.map((observer) => observe(observer, good).config));
  const faults = good.flatMap((object, index) =>
    members(object).flatMap(({ path, value }) =>
      ofOtherTypes(value).map((wrong) => ({ index, path, wrong })),
    ),
  );
  fc.assert(
    fc.property(fc.subarray(faults, { maxLength: 6 }), (chosen) => {
      const objects = chosen.reduce<readonly KubeObject[]>(
        (all, { index, path, wrong }) => all.with(index, replaced(all[index], path, wrong) as KubeObject),
        good,
      );
      const observed = observers.map((observer) => observe(observer, objects, existing).config);
      assert.deepEqual(mergeConfigs(observed), existing);
    }),
    { numRuns: 100 },
  );
});

/** Returns all fields of an object, except those that API servers set. */
function members(object: KubeObject): readonly { readonly path: Path; readonly value: unknown }[] {
  const below = (value: unknown, path: Path): readonly { path: Path; value: unknown }[] => {
    const entries = Array.isArray(value)
      ? value.map((each, index) => [index, each] as const)
      : Object.entries(objectAt(value));
    return [{ path, value }, ...entries.flatMap(([key, inner]) => below(inner, [...path, key]))];
  };
  return ["spec", "status", "data", "subsets"].flatMap((part) =>
    object[part] === undefined ? [] : below(object[part], [part]),
  );
}

function ofOtherTypes(value: unknown): readonly unknown[] {
  const values: readonly unknown[] = ["x", 7.5, true, { x: 1 }, [3]];
  const typeOf = (each: unknown) => (Array.isArray(each) ? "list" : typeof each);
  // A list of numbers is an invalid value for fields that are lists of strings or lists of objects.
  return values.filter((each) => typeOf(each) !== typeOf(value) || Array.isArray(each));
}

/** Replaces the value at a path. Returns the original value if an earlier replacement removed the path. */
function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value) && typeof first === "number")
    return first < value.length ? value.with(first, replaced(value[first], rest, by)) : value;
  if (!isPlainObject(value) || !Object.hasOwn(value, first)) return value;
  return { ...value, [first]: replaced(value[first], rest, by) };
}
