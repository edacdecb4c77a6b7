import assert from "node:assert/strict";
import { test } from "node:test";
import { configObject, dataObject, observe } from "../testing/observe.ts";
import { servingKeyPair } from "../testing/serving-key-pair.ts";
import { observeCorsOrigins } from "./cors-origins.ts";
import { observeNamedCertificates } from "./named-certificates.ts";
import { observeTlsSecurityProfile } from "./tls-security-profile.ts";
import { observeUserClientCa } from "./user-client-ca.ts";

const apiServer = (spec: object) => configObject("APIServer", { spec });
const data = await servingKeyPair();
const other = await servingKeyPair();
const secret = (name: string, content: object = data) =>
  dataObject("Secret", `openshift-config/${name}`, { data: content });
const certificates = (...entries: readonly { names?: readonly string[]; secret?: string }[]) =>
  apiServer({
    servingCerts: {
      namedCertificates: entries.map(({ names, secret: name }) => ({
        ...(names ? { names } : {}),
        servingCertificate: name === undefined ? {} : { name },
      })),
    },
  });
const existing = { servingInfo: { namedCertificates: [{ certFile: "before" }], bindAddress: "not mine" } };
const before = { servingInfo: { namedCertificates: [{ certFile: "before" }] } };
const count = (config: unknown) =>
  (config as { servingInfo?: { namedCertificates?: unknown[] } }).servingInfo?.namedCertificates?.length;

test("without an APIServer nothing is served by name, and copies are deleted", () => {
  const observed = observe(observeNamedCertificates, [], existing);
  assert.deepEqual(observed.config, {});
  assert.equal(observed.copies?.length, 10);
  assert.ok(observed.copies?.every((copy) => copy.endsWith("<-")));
});

test("acceptance 20: the operator's five certificates are preserved without user certificates", () => {
  const { config, copies } = observe(observeNamedCertificates, [certificates()]);
  assert.equal(count(config), 5);
  assert.equal(copies?.[0], "user-serving-cert-000<-");
});

test("certificates of users follow in their order, with their names and copies", () => {
  const objects = [
    certificates({ names: ["api.example"], secret: "a" }, { secret: "b" }),
    secret("a"),
    secret("b"),
  ];
  const { config, copies } = observe(observeNamedCertificates, objects);
  const list = (config as typeof existing).servingInfo.namedCertificates.slice(5);
  const directory = "/etc/kubernetes/static-pod-certs/secrets";
  assert.deepEqual(list, [
    {
      names: ["api.example"],
      certFile: `${directory}/user-serving-cert-000/tls.crt`,
      keyFile: `${directory}/user-serving-cert-000/tls.key`,
    },
    {
      certFile: `${directory}/user-serving-cert-001/tls.crt`,
      keyFile: `${directory}/user-serving-cert-001/tls.key`,
    },
  ]);
  assert.deepEqual(copies?.slice(0, 3), [
    "user-serving-cert-000<-openshift-config/a",
    "user-serving-cert-001<-openshift-config/b",
    "user-serving-cert-002<-",
  ]);
});

const eleven = Array.from({ length: 11 }, (_, index) => ({ secret: `s${index}` }));
const refused: readonly (readonly [string, ReturnType<typeof certificates>, RegExp, boolean])[] = [
  ["a missing Secret", certificates({ secret: "absent" }), /secret "absent" not found/, false],
  [
    "more than ten entries",
    certificates(...eleven),
    /^spec\.servingCerts\.namedCertificates cannot have more than 10 entries$/,
    true,
  ],
  [
    "an entry without a name",
    certificates({ secret: "a" }, {}),
    /^spec\.servingCerts\.namedCertificates\[1\]\.servingCertificate\.name cannot be empty$/,
    true,
  ],
  [
    "a DNS name in two entries",
    certificates({ names: ["x"], secret: "a" }, { names: ["x"], secret: "b" }),
    /name "x" is in several entries: \[0,1\]/,
    false,
  ],
  [
    "an empty DNS name",
    certificates({ names: ["x"], secret: "a" }, { names: [""], secret: "b" }),
    /^spec\.servingCerts\.namedCertificates\[1\]\.names\[0\] cannot be empty$/,
    false,
  ],
  [
    "a Secret without a certificate",
    certificates({ secret: "a" }, { secret: "empty" }),
    /^spec\.servingCerts\.namedCertificates\[1\]\.servingCertificate\.name: secret "empty" .* has no certificate/,
    false,
  ],
  [
    "a Secret with the key of another certificate",
    certificates({ secret: "mixed" }),
    /secret "mixed" .*: the private key in tls\.key is not that of the certificate/,
    false,
  ],
];
for (const [name, object, message, hasEvent] of refused)
  test(`acceptance 19: ${name} keeps the served certificates`, () => {
    const secrets = [
      secret("a"),
      secret("b"),
      secret("empty", {}),
      secret("mixed", { ...data, "tls.key": other["tls.key"] }),
    ];
    const observed = observe(observeNamedCertificates, [object, ...secrets], existing);
    assert.deepEqual(observed.config, before);
    assert.equal(observed.copies, undefined);
    assert.match(observed.errors.join(), message);
    assert.deepEqual(
      observed.events.map(({ reason }) => reason),
      hasEvent ? ["ObserveNamedCertificatesFailed"] : [],
    );
  });

test("the CA of users' clients is copied, or its copy deleted", () => {
  const named = observe(observeUserClientCa, [apiServer({ clientCA: { name: "mine" } })]);
  assert.deepEqual(named.copies, ["user-client-ca<-openshift-config/mine"]);
  for (const objects of [[], [apiServer({ clientCA: { name: "" } })]])
    assert.deepEqual(observe(observeUserClientCa, objects).copies, ["user-client-ca<-"]);
});

test("origins are those of the local machine and of users, sorted, each once", () => {
  const origins = ["//127\\.0\\.0\\.1(:|$)", "//localhost(:|$)"];
  assert.deepEqual(observe(observeCorsOrigins, []), {
    config: { corsAllowedOrigins: origins },
    errors: [],
    copies: undefined,
    events: [],
  });
  const additionalCORSAllowedOrigins = ["(?i)//z(:|\\z)", origins[0], 5];
  const observed = observe(observeCorsOrigins, [apiServer({ additionalCORSAllowedOrigins })]);
  assert.deepEqual(observed.config, { corsAllowedOrigins: ["(?i)//z(:|\\z)", ...origins] });
  assert.equal(observed.events[0]?.reason, "ObserveAdditionalCORSAllowedOrigins");
  assert.deepEqual(
    observe(observeCorsOrigins, [apiServer({ additionalCORSAllowedOrigins })], observed.config).events,
    [],
  );
});

test("a TLS profile is reported when it changes, and only then", () => {
  const modern = [apiServer({ tlsSecurityProfile: { type: "Modern", modern: {} } })];
  const observed = observe(observeTlsSecurityProfile, modern, {
    servingInfo: { minTLSVersion: "VersionTLS12", cipherSuites: [] },
  });
  assert.deepEqual(observed.config, {
    servingInfo: {
      minTLSVersion: "VersionTLS13",
      cipherSuites: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
    },
  });
  assert.deepEqual(
    observed.events.map(({ message }) => message.split(" ")[0]),
    ["minTLSVersion", "cipherSuites"],
  );
  assert.deepEqual(observe(observeTlsSecurityProfile, modern, observed.config).events, []);
});

for (const [name, origin, message] of [
  ["an empty expression", "", /^spec\.additionalCORSAllowedOrigins\[1\]: "" cannot be empty$/],
  [
    "what is not a regular expression",
    "//a(:|$",
    /^spec\.additionalCORSAllowedOrigins\[1\]: .* is not a regular expression: /,
  ],
  [
    "an expression with an open start",
    "a\\.b$",
    /\[1\]: .* does not pin to start\/end of host in the origin header$/,
  ],
  [
    "an expression with an open end",
    "//a\\.b",
    /\[1\]: .* does not pin to start\/end of host in the origin header$/,
  ],
] as const)
  test(`origins with ${name} keep the previous ones`, () => {
    const existing = { corsAllowedOrigins: ["//before(:|$)"] };
    const object = apiServer({ additionalCORSAllowedOrigins: ["//a(:|$)", origin] });
    const observed = observe(observeCorsOrigins, [object], existing);
    assert.deepEqual(observed.config, existing);
    assert.match(observed.errors.join(), message);
    assert.deepEqual(observed.events, []);
  });

for (const [name, custom, message] of [
  [
    "an unknown version",
    { minTLSVersion: "VersionTLS09" },
    /custom\.minTLSVersion: unknown TLS version "VersionTLS09"$/,
  ],
  [
    "no cipher for HTTP/2",
    { minTLSVersion: "VersionTLS12", ciphers: ["ECDHE-RSA-AES256-GCM-SHA384"] },
    /custom\.ciphers lacks an AES_128_GCM_SHA256 cipher/,
  ],
] as const)
  test(`a custom TLS profile with ${name} keeps the previous profile`, () => {
    const existing = { servingInfo: { minTLSVersion: "VersionTLS12", cipherSuites: ["TLS_A"] } };
    const object = apiServer({ tlsSecurityProfile: { type: "Custom", custom } });
    const observed = observe(observeTlsSecurityProfile, [object], existing);
    assert.deepEqual(observed.config, existing);
    assert.match(observed.errors.join(), message);
    assert.deepEqual(observed.events, []);
  });

test("a custom TLS profile of TLS 1.3 needs no cipher for HTTP/2, and one without ciphers has the defaults", () => {
  for (const custom of [
    { minTLSVersion: "VersionTLS13", ciphers: ["TLS_AES_256_GCM_SHA384"] },
    { minTLSVersion: "VersionTLS12", ciphers: [] },
  ]) {
    const object = apiServer({ tlsSecurityProfile: { type: "Custom", custom } });
    const { config, errors } = observe(observeTlsSecurityProfile, [object]);
    assert.deepEqual(errors, []);
    assert.deepEqual(config, {
      servingInfo: { minTLSVersion: custom.minTLSVersion, cipherSuites: custom.ciphers },
    });
  }
});
