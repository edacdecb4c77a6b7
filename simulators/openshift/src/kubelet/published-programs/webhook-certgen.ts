import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { createCertificateAuthority, issueCertificate, listAt, objectAt, stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import type { PublishedProgram, PublishedProgramIo } from "./published-program.ts";

const commands: Readonly<Record<string, (flags: Flags, io: PublishedProgramIo) => Promise<void>>> = {
  create,
  patch,
};

/**
 * Program `kube-webhook-certgen`. `create` creates a Secret with a CA and a server certificate. `patch` writes this CA into
 * webhook configurations and APIServices. The program exists in two versions with the same commands.
 * @see kubernetes/ingress-nginx images/kube-webhook-certgen
 * @see jkroepke/kube-webhook-certgen
 */
export const webhookCertgen: PublishedProgram = {
  handles: ([command = ""]) => Object.hasOwn(commands, command),
  run: async (io) => commands[io.args[0] ?? ""]?.(readFlags(io.args.slice(1)), io),
};

const validYears = 100;
const dayMs = 86_400_000;
/** Maximum number of host names of a certificate. */
const maxHosts = 100;

async function create(flags: Flags, { kube, clock, print, signal }: PublishedProgramIo): Promise<void> {
  const key = { namespace: flags.required("namespace"), name: flags.required("secret-name") };
  const hosts = flags.required("host").split(",");
  if (hosts.length > maxHosts) throw new Error(`--host: more than ${maxHosts} hosts`);
  const present = await kube.find(resources.secrets, key, signal);
  if (present) {
    caOf(present, flags);
    return print(entry(clock.now(), "secret already exists"));
  }
  await print(entry(clock.now(), "creating new secret"));
  const notBefore = new Date(clock.now().getTime() - 300_000);
  const period = { notBefore, notAfter: new Date(notBefore.getTime() + validYears * 365 * dayMs) };
  const authority = await createCertificateAuthority("nil1", period);
  const certificate = await issueCertificate(authority, {
    commonName: "nil2",
    dnsNames: hosts.filter((host) => isIP(host) === 0),
    ipAddresses: hosts.filter((host) => isIP(host) !== 0),
    usage: "server",
    validDays: period,
  });
  const data = {
    [flags.value("ca-name") ?? "ca"]: authority.certificatePem,
    [flags.value("cert-name") ?? "cert"]: certificate.certificatePem,
    [flags.value("key-name") ?? "key"]: certificate.privateKeyPem,
  };
  const encoded = Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: key,
    type: flags.value("secret-type") ?? "Opaque",
    data: Object.fromEntries(encoded),
  };
  await kube.create(resources.secrets, secret, signal);
}

async function patch(flags: Flags, io: PublishedProgramIo): Promise<void> {
  const { kube, clock, print, signal } = io;
  const key = { namespace: flags.required("namespace"), name: flags.required("secret-name") };
  const configurations = [
    ...(flags.boolean("patch-validating") ? [resources.validatingWebhookConfigurations] : []),
    ...(flags.boolean("patch-mutating") ? [resources.mutatingWebhookConfigurations] : []),
  ];
  const service = flags.value("apiservice-name");
  if (configurations.length === 0 && !service)
    throw new Error(
      "patch-validating=false, patch-mutating=false. You must patch at least one kind of webhook",
    );
  const policy = flags.value("patch-failure-policy");
  if (policy !== undefined && policy !== "Ignore" && policy !== "Fail")
    throw new Error(`patch-failure-policy ${policy} is not valid`);
  const mode = flags.value("patch-mode") ?? "update";
  if (mode !== "update" && mode !== "patch")
    throw new Error(`invalid patch method '${mode}', must be 'patch' or 'update'`);
  const secret = await kube.find(resources.secrets, key, signal);
  if (!secret) throw new Error(`no secret with '${key.name}' in '${key.namespace}'`);
  const caBundle = caOf(secret, flags);
  if (service) {
    await print(entry(clock.now(), `patching APIService "${service}"`));
    const found = await kube.get(resources.apiServices, { name: service }, signal);
    const spec = { ...objectAt(found, "spec"), caBundle, insecureSkipTLSVerify: false };
    await kube.replace(resources.apiServices, { ...found, spec }, signal);
  }
  const name = flags.value("webhook-name");
  if (!name) return;
  await print(entry(clock.now(), `patching webhook configurations '${name}'`));
  const applies = mode === "patch";
  for (const resource of configurations)
    await patchWebhooks(resource, { name, caBundle, policy, applies }, io);
  await print(entry(clock.now(), "Patched hook(s)"));
}

/**
 * Sets the CA of all webhooks of a configuration by an update or, with `--patch-mode=patch`, a server-side apply. Like the
 * original program, sets the failure policy only if the policy is `Fail`.
 */
async function patchWebhooks(
  resource: KubeResource,
  { name, caBundle, policy, applies }: WebhookPatch,
  { kube, signal }: PublishedProgramIo,
): Promise<void> {
  const configuration = await kube.get(resource, { name }, signal);
  const failure = policy === "Fail" ? { failurePolicy: policy } : {};
  const webhooks = listAt(configuration, "webhooks");
  if (applies) {
    const changes = webhooks.map((webhook) => ({
      name: stringAt(webhook, "name"),
      clientConfig: { caBundle },
      ...failure,
    }));
    const { apiVersion, kind } = configuration;
    const applied = { apiVersion, kind, metadata: { name }, webhooks: changes };
    await kube.apply(resource, applied, signal, { force: true });
    return;
  }
  const changed = webhooks.map((webhook) => ({
    ...objectAt(webhook),
    clientConfig: { ...objectAt(webhook, "clientConfig"), caBundle },
    ...failure,
  }));
  await kube.replace(resource, { ...configuration, webhooks: changed }, signal);
}

interface WebhookPatch {
  readonly name: string;
  /** CA in base64. */
  readonly caBundle: string;
  readonly policy: "Ignore" | "Fail" | undefined;
  /** True for a server-side apply. */
  readonly applies: boolean;
}

/** Returns the CA of a Secret in base64. */
function caOf(secret: KubeObject, flags: Flags): string {
  const data = stringMapAt(secret, "data");
  const name = flags.value("ca-name") ?? "ca";
  const ca = data[name] ?? data.ca;
  if (ca === undefined) throw new Error(`got secret, but it did not contain a '${name}' key`);
  return ca;
}

interface Flags {
  value(name: string): string | undefined;
  required(name: string): string;
  boolean(name: string): boolean;
}

const booleans: ReadonlySet<string> = new Set(["patch-mutating", "patch-validating"]);
const known: ReadonlySet<string> = new Set([
  ...booleans,
  ...["apiservice-name", "ca-name", "cert-name", "host", "key-name", "kubeconfig", "log-format", "log-level"],
  ...["namespace", "patch-failure-policy", "patch-mode", "secret-name", "secret-type", "webhook-name"],
]);

/** Parses flags like pflag. Boolean flags are true by default, and also without a value. @throws Error for unknown flags */
function readFlags(args: readonly string[]): Flags {
  const words = args.map((arg) => (booleans.has(arg.replace(/^--/, "")) ? `${arg}=true` : arg));
  const options = Object.fromEntries([...known].map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ args: words, options, strict: true, allowPositionals: false });
  const value = (name: string) => {
    const found = values[name];
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  return {
    value,
    required(name) {
      const found = value(name);
      if (found === undefined) throw new Error(`required flag(s) "${name}" not set`);
      return found;
    },
    boolean: (name) => !["false", "0", "f", "F", "FALSE", "False"].includes(value(name) ?? "true"),
  };
}

/** Returns a log entry with the fields of logrus. */
function entry(time: Date, msg: string): string {
  return JSON.stringify({ level: "info", msg, time: time.toISOString() });
}
