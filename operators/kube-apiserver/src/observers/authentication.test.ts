import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { configObject, dataObject, observe } from "../testing/observe.ts";
import { observeAdmissionPlugins } from "./admission-plugins.ts";
import { externalOidcObserver } from "./external-oidc.ts";
import { observeOauthMetadata } from "./oauth-metadata.ts";
import { observeWebhookAuthenticator } from "./webhook-authenticator.ts";

const authentication = (spec: object, status: object = {}) =>
  configObject("Authentication", { spec, status });
const plugins = [
  "authorization.openshift.io/RestrictSubjectBindings",
  "authorization.openshift.io/ValidateRoleBindingRestriction",
];
const gates = (...enabled: readonly string[]) =>
  configObject("FeatureGate", {
    status: {
      featureGates: [{ version: "4.19.0", enabled: enabled.map((name) => ({ name })), disabled: [] }],
    },
  });
const authConfig = dataObject("ConfigMap", "openshift-kube-apiserver/auth-config");

test("plugins for the integrated OAuth server are enabled with it, disabled with other types, and unchanged if the type is unknown", () => {
  const enabled = { apiServerArguments: { "enable-admission-plugins": plugins } };
  const disabled = { apiServerArguments: { "disable-admission-plugins": plugins } };
  assert.deepEqual(observe(observeAdmissionPlugins, [authentication({})]).config, enabled);
  assert.deepEqual(
    observe(observeAdmissionPlugins, [authentication({ type: "IntegratedOAuth" })]).config,
    enabled,
  );
  for (const type of ["None", "OIDC"])
    assert.deepEqual(observe(observeAdmissionPlugins, [authentication({ type })], enabled).config, disabled);
  assert.deepEqual(observe(observeAdmissionPlugins, [], enabled).config, enabled);
  const unknown = observe(observeAdmissionPlugins, [authentication({ type: "Magic" })], enabled);
  assert.deepEqual(unknown.config, enabled);
  assert.match(unknown.errors.join(), /spec\.type "Magic" is not supported$/);
});

const metadata = {
  authConfig: {
    oauthMetadataFile: "/etc/kubernetes/static-pod-resources/configmaps/oauth-metadata/oauthMetadata",
  },
};
const specified = { oauthMetadata: { name: "mine" } };
const published = { integratedOAuthMetadata: { name: "theirs" } };
const metadataRows: readonly (readonly [
  string,
  Parameters<typeof observe>[1],
  object,
  readonly string[] | undefined,
])[] = [
  ["absent", [], {}, undefined],
  ["neither named", [authentication({})], {}, ["oauth-metadata<-"]],
  [
    "named by users",
    [authentication(specified, published)],
    metadata,
    ["oauth-metadata<-openshift-config/mine"],
  ],
  [
    "published",
    [authentication({}, published)],
    metadata,
    ["oauth-metadata<-openshift-config-managed/theirs"],
  ],
  ["None", [authentication({ type: "None" }, published)], {}, ["oauth-metadata<-"]],
  [
    "None, named by users",
    [authentication({ type: "None", ...specified })],
    metadata,
    ["oauth-metadata<-openshift-config/mine"],
  ],
  ["OIDC before its configuration", [authentication({ type: "OIDC" })], metadata, undefined],
  ["OIDC", [authentication({ type: "OIDC" }), authConfig], {}, ["oauth-metadata<-"]],
];
for (const [name, objects, config, copies] of metadataRows)
  test(`OAuth metadata: ${name}`, () => {
    const observed = observe(observeOauthMetadata, objects, metadata);
    assert.deepEqual(observed.config, config);
    assert.deepEqual(observed.copies, copies);
  });

const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "c", cluster: { server: "https://webhook" } }],
  users: [{ name: "u", user: { "client-certificate-data": "x", "client-key-data": "y" } }],
  contexts: [{ name: "k", context: { cluster: "c", user: "u" } }],
  "current-context": "k",
};
const webhookSecret = (content: unknown, key = "kubeConfig") =>
  dataObject("Secret", "openshift-config/webhook", {
    data: {
      [key]: Buffer.from(typeof content === "string" ? content : stringify(content)).toString("base64"),
    },
  });
const webhook = { webhookTokenAuthenticator: { kubeConfig: { name: "webhook" } } };
const webhookConfig = {
  apiServerArguments: {
    "authentication-token-webhook-config-file": [
      "/etc/kubernetes/static-pod-resources/secrets/webhook-authenticator/kubeConfig",
    ],
    "authentication-token-webhook-version": ["v1"],
  },
};

test("a webhook for tokens is configured and its kubeconfig copied", () => {
  const observed = observe(observeWebhookAuthenticator, [authentication(webhook), webhookSecret(kubeconfig)]);
  assert.deepEqual(observed.config, webhookConfig);
  assert.deepEqual(observed.copies, ["webhook-authenticator<-openshift-config/webhook"]);
  assert.match(observed.events[0]?.message ?? "", /changed from false to true/);
});

test("without one it is removed, with OIDC only once that is configured", () => {
  const removed = observe(observeWebhookAuthenticator, [authentication({})], webhookConfig);
  assert.deepEqual(removed.config, {});
  assert.deepEqual(removed.copies, ["webhook-authenticator<-"]);
  const oidc = authentication({ type: "OIDC", ...webhook });
  assert.deepEqual(observe(observeWebhookAuthenticator, [oidc], webhookConfig).config, webhookConfig);
  assert.deepEqual(observe(observeWebhookAuthenticator, [oidc, authConfig], webhookConfig).copies, [
    "webhook-authenticator<-",
  ]);
  assert.deepEqual(observe(observeWebhookAuthenticator, [], webhookConfig).config, {});
});

const withUser = (user: object) => ({ ...kubeconfig, users: [{ name: "u", user }] });
const withCluster = (cluster: object) => ({
  ...kubeconfig,
  clusters: [{ name: "c", cluster: { server: "https://webhook", ...cluster } }],
});
const wrong: readonly (readonly [string, unknown, RegExp, string?])[] = [
  ["no key", kubeconfig, /missing required 'kubeConfig' key/, "other"],
  ["empty", "", /the 'kubeConfig' key is empty/],
  ["no YAML", "a: [", /failed to load kubeconfig/],
  ["a text", "text", /failed to load kubeconfig: it is not an object/],
  [
    "two clusters",
    { ...kubeconfig, clusters: [...kubeconfig.clusters, {}] },
    /is invalid: clusters: Invalid value: expected a single cluster$/,
  ],
  [
    "no server",
    { ...kubeconfig, clusters: [{ name: "c", cluster: {} }] },
    /is invalid: clusters\[c\]\.server: Required value$/,
  ],
  [
    "files",
    { ...kubeconfig, users: [{ name: "u", user: { token: "t", "client-key": "/f" } }] },
    /users\[u\]\.client-key: Invalid value: use "users\[u\]\.client-key-data" with the direct content/,
  ],
  ["a program", withUser({ token: "t", exec: { command: "/bin/sh" } }), /users\[u\]\.exec: not supported/],
  [
    "an auth provider",
    withUser({ token: "t", "auth-provider": { name: "oidc" } }),
    /users\[u\]\.auth-provider: not supported/,
  ],
  [
    "a file as a list",
    withUser({ token: "t", tokenFile: ["/x"] }),
    /users\[u\]\.tokenFile: Invalid value: use/,
  ],
  ["a field in a different case", withUser({ token: "t", TokenFile: "/x" }), /users\[u\]\.TokenFile: not/],
  ["impersonation", withUser({ token: "t", as: "system:admin" }), /users\[u\]\.as: not supported/],
  ["a proxy", withCluster({ "proxy-url": "http://169.254.169.254" }), /clusters\[c\]\.proxy-url: not/],
  [
    "an unverified connection",
    withCluster({ "insecure-skip-tls-verify": true }),
    /clusters\[c\]\.insecure-skip-tls-verify: not supported/,
  ],
  ["a second list of users", { ...kubeconfig, Users: [] }, /\[?Users: not supported/],
  [
    "nobody",
    { ...kubeconfig, users: [{ name: "u", user: {} }] },
    /: users\[u\]: Required value: at least one authentication mechanism needs to be configured$/,
  ],
  [
    "no context",
    { ...kubeconfig, "current-context": "" },
    /is invalid: \[current-context: Required value, current-context: Invalid value: "": does not appear to be present in the 'contexts' field\]$/,
  ],
  [
    "another user",
    { ...kubeconfig, contexts: [{ name: "k", context: { cluster: "c", user: "other" } }] },
    /contexts\[k\]\.user: Invalid value: "other": this value cannot be found in 'users'$/,
  ],
];
for (const [name, content, message, key] of wrong)
  test(`a webhook kubeconfig with ${name} keeps the previous one`, () => {
    const objects = [authentication(webhook), webhookSecret(content, key)];
    const observed = observe(observeWebhookAuthenticator, objects, webhookConfig);
    assert.deepEqual(observed.config, webhookConfig);
    assert.equal(observed.copies, undefined);
    assert.match(observed.errors.join(), message);
  });

const oidc = externalOidcObserver("4.19.0");
const oidcConfig = {
  apiServerArguments: {
    "authentication-config": ["/etc/kubernetes/static-pod-resources/configmaps/auth-config/auth-config.json"],
  },
};
const source = (data: object) => dataObject("ConfigMap", "openshift-config-managed/auth-config", { data });

test("an external provider is configured where its gate is on", () => {
  const objects = [
    gates("ExternalOIDC"),
    authentication({ type: "OIDC" }),
    source({ "auth-config.json": "{}" }),
  ];
  const observed = observe(oidc, objects);
  assert.deepEqual(observed.config, oidcConfig);
  assert.deepEqual(observed.copies, ["auth-config<-openshift-config-managed/auth-config"]);
  assert.deepEqual(observe(oidc, [gates(), ...objects.slice(1)]).config, {});
});

test("a provider without a configuration keeps the previous one, a different type removes it", () => {
  const external = [gates("ExternalOIDC"), authentication({ type: "OIDC" })];
  assert.deepEqual(observe(oidc, external, oidcConfig).config, oidcConfig);
  for (const data of [{}, { "auth-config.json": "" }]) {
    const observed = observe(oidc, [...external, source(data)], oidcConfig);
    assert.deepEqual(observed.config, oidcConfig);
    assert.match(observed.errors.join(), /openshift-config-managed\/auth-config is invalid/);
  }
  const removed = observe(oidc, [gates("ExternalOIDC"), authentication({}), authConfig], oidcConfig);
  assert.deepEqual(removed.config, {});
  assert.deepEqual(removed.copies, ["auth-config<-"]);
});
