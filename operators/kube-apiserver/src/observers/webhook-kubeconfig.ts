import { isPlainObject, messageOf, stringAt, valueAt } from "@keelson/base";
import { parse } from "yaml";

/**
 * Returns the problems of the Secret that configures the token webhook. Only inline values are accepted. All other fields could
 * make the masters read files, run programs or use an insecure connection. Messages quote only names, because some values are
 * secrets.
 */
export function webhookKubeconfigErrors(secret: unknown): readonly string[] {
  const encoded = valueAt(secret, "data", "kubeConfig");
  if (typeof encoded !== "string") return ["missing required 'kubeConfig' key"];
  const text = Buffer.from(encoded, "base64").toString();
  if (text === "") return ["the 'kubeConfig' key is empty"];
  let kubeconfig: unknown;
  try {
    kubeconfig = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    // The message contains only the first line of the error, because later lines quote the kubeconfig.
    return [`failed to load kubeconfig: ${messageOf(error).split("\n")[0]?.replace(/:$/, "")}`];
  }
  if (!isPlainObject(kubeconfig)) return ["failed to load kubeconfig: it is not an object"];
  const [cluster, ...clusterErrors] = onlyEntry(kubeconfig, "cluster");
  const [user, ...userErrors] = onlyEntry(kubeconfig, "user");
  const [context, ...contextErrors] = onlyEntry(kubeconfig, "context");
  const errors: unknown[] = [
    ...unknownFields("", kubeconfig, topLevelFields),
    ...clusterErrors,
    ...(cluster ? clusterProblems(cluster) : []),
    ...userErrors,
    ...(user ? userProblems(user) : []),
    ...contextProblems(kubeconfig, contextErrors, context, cluster, user),
  ];
  return [...new Set(errors.filter((error) => typeof error === "string"))];
}

const topLevelFields = [
  "apiVersion",
  "kind",
  "preferences",
  "clusters",
  "users",
  "contexts",
  "current-context",
];
/**
 * Accepted fields of each kubeconfig entry. If a field with a file name is rejected, the message names the corresponding inline
 * field.
 */
const entryFields: Readonly<Record<string, readonly string[]>> = {
  cluster: ["server", "tls-server-name", "certificate-authority", "certificate-authority-data"],
  user: [
    ...["client-certificate", "client-certificate-data", "client-key", "client-key-data"],
    ...["token", "tokenFile", "username", "password"],
  ],
  context: ["cluster", "user", "namespace"],
};

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

function onlyEntry(
  kubeconfig: Record<string, unknown>,
  kind: string,
): readonly [Entry | undefined, ...string[]] {
  const entries = kubeconfig[`${kind}s`];
  const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const expected = kind === "context" ? "value" : kind;
  const errors = list.length === 1 ? [] : [`${kind}s: Invalid value: expected a single ${expected}`];
  const [first] = list;
  if (first === undefined) return [undefined, ...errors];
  const entry = { name: stringAt(first, "name") ?? "", value: valueAt(first, kind) };
  const at = `${kind}s[${entry.name}].`;
  const unknown = [
    ...unknownFields(at, first, ["name", kind]),
    ...unknownFields(at, entry.value, entryFields[kind] ?? []),
  ];
  return [entry, ...errors, ...unknown];
}

/**
 * Returns the unknown fields. Field names are case-sensitive here, unlike in Go's decoder. A field with a different spelling is
 * therefore rejected.
 */
function unknownFields(at: string, value: unknown, accepted: readonly string[]): readonly string[] {
  if (!isPlainObject(value)) return [];
  return Object.keys(value)
    .filter((field) => !accepted.includes(field))
    .map((field) => `${at}${field}: not supported, only inline credentials and server are`);
}

function clusterProblems({ name, value }: Entry): readonly string[] {
  const server = stringAt(value, "server") ? [] : [`clusters[${name}].server: Required value`];
  return [
    ...server,
    ...filesIn(`clusters[${name}]`, value, { "certificate-authority": "certificate-authority-data" }),
  ];
}

function userProblems({ name, value }: Entry): readonly string[] {
  const at = `users[${name}]`;
  const has = (member: string) => Boolean(stringAt(value, member));
  const errors: string[] = [];
  if (has("username")) {
    if (!has("password")) errors.push(`${at}.password: Required value: required when 'username' is set`);
  } else if (has("client-certificate-data")) {
    if (!has("client-key-data"))
      errors.push(`${at}.client-key-data: Required value: required when 'client-certificate-data' is set`);
  } else if (!has("token"))
    errors.push(`${at}: Required value: at least one authentication mechanism needs to be configured`);
  const files = {
    "client-certificate": "client-certificate-data",
    "client-key": "client-key-data",
    tokenFile: "token",
  };
  return [...errors, ...filesIn(at, value, files)];
}

function filesIn(at: string, value: unknown, files: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(files)
    .filter(([file]) => isSet(valueAt(value, file)))
    .map(
      ([file, data]) =>
        `${at}.${file}: Invalid value: use "${at}.${data}" with the direct content of the file instead`,
    );
}

/** True if a value is set. Any value that is not a string counts as set. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function contextProblems(
  kubeconfig: Record<string, unknown>,
  contextErrors: readonly string[],
  context: Entry | undefined,
  cluster: Entry | undefined,
  user: Entry | undefined,
): readonly string[] {
  const current = stringAt(kubeconfig, "current-context") ?? "";
  const errors = [...(current === "" ? ["current-context: Required value"] : []), ...contextErrors];
  if (current !== context?.name)
    return [
      ...errors,
      `current-context: Invalid value: ${JSON.stringify(current)}: does not appear to be present in the 'contexts' field`,
    ];
  for (const [kind, entry] of Object.entries({ user, cluster })) {
    const named = stringAt(context.value, kind) ?? "";
    if (named !== entry?.name)
      errors.push(
        `contexts[${current}].${kind}: Invalid value: ${JSON.stringify(named)}: this value cannot be found in '${kind}s'`,
      );
  }
  return errors;
}
