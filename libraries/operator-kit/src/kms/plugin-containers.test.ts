import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { newKmsKey } from "../encryption/kms-key.ts";
import { vaultPlugin } from "../testing/vault-plugin.ts";
import { type PluginKey, type PluginPlace, pluginKeys, withKmsPlugins } from "./plugin-containers.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const dir = "/etc/kubernetes/static-pod-resources";
const node: PluginPlace = {
  kind: "staticPod",
  dir,
  volume: "resource-dir",
  secretName: "encryption-config",
  reporter: { image: "operator:1", command: ["the-operator"], kubeconfig: "/kubeconfig" },
};
const pod = {
  metadata: { name: "apiserver" },
  spec: {
    initContainers: [{ name: "setup" }],
    containers: [
      { name: "apiserver", volumeMounts: [{ name: "resource-dir", mountPath: dir }] },
      { name: "other" },
    ],
    volumes: [{ name: "resource-dir", hostPath: { path: "/x" } }],
  },
};

function keyOf(id: number, vault: object = {}): PluginKey {
  const plugin = vaultPlugin(vault);
  const secrets = { "role_role-id": base64("the-role"), "role_secret-id": base64("the-secret") };
  return { id, kms: newKmsKey(id, plugin, { secrets, configMaps: { "ca_ca-bundle.crt": base64("PEM") } }) };
}

test("a static pod gets the plugin of each key, newest first, and one that reports how they are", () => {
  const tls = { caBundle: { name: "ca" }, serverName: "vault" };
  const vault = { tls, vaultNamespace: "ns", vaultAuthNamespace: "auth" };
  const changed = withKmsPlugins(pod, "apiserver", [keyOf(4, vault), keyOf(3)], node);
  const initial = listAt(changed, "spec", "initContainers");
  assert.deepEqual(
    initial.map((each) => stringAt(each, "name")),
    ["setup", "vault-kms-plugin-4", "vault-kms-plugin-3", "kms-health-reporter"],
  );
  assert.deepEqual(listAt(initial[1], "args"), [
    "-listen-address=unix:///var/run/kmsplugin/kms-4.sock",
    "-vault-address=https://vault.example:8200",
    "-vault-key-path=transit/keys/k",
    "-approle-role-id=the-role",
    `-approle-secret-id-path=${dir}/secrets/encryption-config/kms-plugin-secret-role_secret-id-4`,
    `-tls-ca-file=${dir}/secrets/encryption-config/kms-plugin-configmap-ca_ca-bundle.crt-4`,
    "-tls-sni=vault",
    "-vault-namespace=ns",
    "-vault-auth-namespace=auth",
    "-metrics-port=0",
  ]);
  assert.deepEqual(
    initial.slice(1).map((each) => stringAt(each, "restartPolicy")),
    ["Always", "Always", "Always"],
  );
  assert.deepEqual(listAt(initial[3], "args"), [
    "--kms-sockets=unix:///var/run/kmsplugin/kms-4.sock,unix:///var/run/kmsplugin/kms-3.sock",
    "--node-name=$(NODE_NAME)",
    "--kubeconfig=/kubeconfig",
  ]);
  assert.deepEqual(listAt(initial[3], "command"), ["the-operator", "kms-health-reporter"]);
  const [apiserver, other] = listAt(changed, "spec", "containers");
  assert.deepEqual(listAt(apiserver, "volumeMounts").at(-1), {
    name: "kms-plugin-socket",
    mountPath: "/var/run/kmsplugin",
  });
  assert.deepEqual(other, { name: "other" });
  assert.doesNotMatch(JSON.stringify(changed), /the-secret|dGhlLXNlY3JldA/);
  assert.deepEqual(
    withKmsPlugins(changed, "apiserver", [keyOf(4, vault), keyOf(3)], node),
    changed,
    "again is the same",
  );
  assert.deepEqual(withKmsPlugins(changed, "apiserver", [], node), pod, "without keys they go");
});

test("an ordinary pod mounts the plugin files from the Secret and has no health reporter", () => {
  const changed = withKmsPlugins(pod, "apiserver", [keyOf(1)], { kind: "pod", secretName: "trial" });
  const plugin = listAt(changed, "spec", "initContainers")[1];
  assert.ok(
    listAt(plugin, "args").includes(
      "-approle-secret-id-path=/var/run/secrets/kms-plugin/kms-plugin-secret-role_secret-id-1",
    ),
  );
  assert.equal(listAt(changed, "spec", "initContainers").length, 2);
  assert.deepEqual(listAt(changed, "spec", "volumes").at(-1), {
    name: "kms-plugins-data",
    secret: { secretName: "trial" },
  });
});

test("a plugin that is not known, or lacks what it refers to, is an error that names it", () => {
  const unknown = { id: 2, kms: newKmsKey(2, { type: "AWS" }, { secrets: {}, configMaps: {} }) };
  assert.throws(() => withKmsPlugins(pod, "apiserver", [unknown], node), /type "AWS"/);
  const { plugin: _, ...lost } = keyOf(5).kms;
  assert.throws(() => withKmsPlugins(pod, "apiserver", [{ id: 5, kms: lost }], node), /keyID 5/);
  const tls = { caBundle: { name: "elsewhere" } };
  assert.throws(
    () => withKmsPlugins(pod, "apiserver", [keyOf(6, { tls })], node),
    /missing ca-bundle.crt in configmap elsewhere for keyID 6/,
  );
});

test("a configuration without a key management service has no plugins, even if it is invalid", () => {
  assert.deepEqual(pluginKeys({}), []);
  assert.deepEqual(pluginKeys({ "encryption-config": base64("{") }), []);
});
