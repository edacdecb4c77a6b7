import { isPlainObject } from "@keelson/base";
import { parse } from "yaml";
import { KubeError } from "../responses/kube-error.ts";

/**
 * Access to one API server as one user. Certificates and keys are PEM strings, because a small Buffer would retain its complete
 * 64 KiB pool in memory.
 */
export interface KubeAccess {
  readonly server: URL;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
  };
  /** Returns the headers that authenticate the user now. Empty if a client certificate authenticates the user. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Called after the server rejected the headers `refused` with 401. Resolves with true if new credentials are available.
   * Undefined if the credentials never change.
   */
  renew?(refused: Readonly<Record<string, string>>): Promise<boolean>;
}

/** Maximum kubeconfig size in bytes. Kubeconfigs with several users and certificates are much smaller. */
const maxBytes = 1024 * 1024;

const clusterFields = ["server", "certificate-authority-data", "tls-server-name", ...harmless()];
const userFields = [
  "client-certificate-data",
  "client-key-data",
  "token",
  "username",
  "password",
  ...harmless(),
];

/** Returns names of kubeconfig fields that are ignored, because they affect neither the requests nor the choice of the server. */
function harmless(): readonly string[] {
  return ["extensions", "disable-compression"];
}

/**
 * Returns the cluster and the user of the current context. The kubeconfig comes from an untrusted source, so its credentials must
 * be embedded. Programs, local files, proxies and unverified servers are rejected.
 * @throws KubeError InvalidKubeconfig, which names the invalid field
 */
export function readKubeconfig(text: string): KubeAccess {
  const config = parseYaml(text);
  const context = named(config, "contexts", "context", textIn(config, "current-context", "current-context"));
  const cluster = named(
    config,
    "clusters",
    "cluster",
    textIn(context, "cluster", "the current context's cluster"),
  );
  const user =
    context.user === undefined || context.user === ""
      ? {}
      : named(config, "users", "user", textIn(context, "user", "the current context's user"));
  assertOnly(cluster, clusterFields, "cluster", "insecure-skip-tls-verify");
  assertOnly(user, userFields, "user");
  const headers = headersIn(user);
  return {
    server: serverIn(cluster),
    tls: {
      ...pem(cluster, "certificate-authority-data", "ca"),
      ...pem(user, "client-certificate-data", "cert"),
      ...pem(user, "client-key-data", "key"),
      ...(cluster["tls-server-name"] ? { servername: textIn(cluster, "tls-server-name") } : {}),
    },
    headers: async () => headers,
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseYaml(text: string): Fields {
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`it is longer than ${maxBytes} bytes`);
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0, logLevel: "silent" });
  } catch {
    // The parser's message quotes the input, which contains secrets.
    throw invalid("it is no YAML");
  }
  if (isPlainObject(value)) return value;
  throw invalid("it is not an object");
}

/**
 * Returns a field of the list entry with the given name. Duplicate names are rejected, because clients differ in which entry they
 * select.
 */
function named(config: Fields, list: string, member: string, name: string): Fields {
  const entries: readonly unknown[] = Array.isArray(config[list]) ? config[list] : [];
  const [entry, second] = entries.filter((each) => isPlainObject(each) && each.name === name);
  const found = isPlainObject(entry) ? entry[member] : undefined;
  if (isPlainObject(found) && second === undefined) return found;
  throw invalid(`${list} has no ${JSON.stringify(name)}, or more than one`);
}

function assertOnly(fields: Fields, allowed: readonly string[], of: string, falseOnly?: string): void {
  for (const [field, value] of Object.entries(fields)) {
    if (allowed.includes(field) || value === null || value === undefined) continue;
    if (field === falseOnly && value === false) continue;
    throw invalid(
      `the ${of}'s ${JSON.stringify(field)} is not supported; put the credentials themselves into ` +
        "client-certificate-data and client-key-data, or token, and the server's CA certificate into certificate-authority-data",
    );
  }
}

function serverIn(cluster: Fields): URL {
  const server = URL.parse(textIn(cluster, "server"));
  if (server?.protocol !== "https:") throw invalid("the cluster's server is not an https URL");
  if (server.username !== "" || server.password !== "") throw invalid("the cluster's server names a user");
  if (server.search !== "" || server.hash !== "") throw invalid("the cluster's server has a query");
  return server;
}

function pem(fields: Fields, field: string, name: "ca" | "cert" | "key"): { [name]?: string } {
  if (fields[field] === undefined || fields[field] === null || fields[field] === "") return {};
  return { [name]: Buffer.from(textIn(fields, field), "base64").toString() };
}

function headersIn(user: Fields): Readonly<Record<string, string>> {
  if (user.token) return { authorization: `Bearer ${headerText(user, "token")}` };
  if (!user.username) return {};
  const pair = `${headerText(user, "username")}:${user.password ? headerText(user, "password") : ""}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function headerText(fields: Fields, field: string): string {
  const text = textIn(fields, field);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the header.
  if (/[\x00-\x1f\x7f]/.test(text)) throw invalid(`the user's ${field} has control characters`);
  return text;
}

function textIn(fields: Fields, field: string, what = field): string {
  const value = fields[field];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(`${what} is missing or not a string`);
}

function invalid(reason: string): KubeError {
  return new KubeError(0, "InvalidKubeconfig", `the kubeconfig cannot be used: ${reason}`);
}
