import { type Static, Type } from "typebox";
import { Errors } from "typebox/value";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });
const pullSecretFile = Type.Optional(
  file("JSON file with credentials for the registries of OpenShift's images, as Docker has it: `auths`"),
);

/** How machines come to be, by `kind`. */
const installerSchemas = {
  simulated: Type.Object(
    {
      kind: Type.Literal("simulated"),
      clustersUrl: Type.String({
        pattern: "^https?://[^\\s/]+",
        description: "URL of the simulated clusters' API server",
      }),
      caFile: file("PEM of the authority of its serving certificate"),
    },
    closed,
  ),
  "openshift-install": Type.Object(
    {
      kind: Type.Literal("openshift-install"),
      command: Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: "absolute path of openshift-install, and arguments before its own",
      }),
      workingFolder: file(
        "where installs under way keep what they generate: on a disk, for this service alone, on one machine",
      ),
      pullSecretFile,
      environment: Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
        ...closed,
        default: {},
        description:
          "further variables of its environment, for example HTTPS_PROXY; it gets none of the service's",
      }),
      timeoutMs: Type.Integer({
        minimum: 60_000,
        maximum: 3_600_000,
        default: 3_600_000,
        description: "longest time of an install",
      }),
    },
    closed,
  ),
  hive: Type.Object(
    {
      kind: Type.Literal("hive"),
      graphKeyFile: file(
        "64 bytes in base64: the secret encryption-key-v2 with which Hive's installer seals what it generates",
      ),
      pullSecretFile,
      environment: Type.Record(Type.String({ pattern: "^[A-Z][A-Z0-9_]*$" }), Type.String(), {
        ...closed,
        default: {},
        description: "variables of Hive's installer, for example KEYVAULT_PREFIX; each gets the prefix ARO_",
      }),
      registry: Type.Optional(
        Type.String({ minLength: 1, description: "registry with the service's copies of images of quay.io" }),
      ),
      installerPullspec: Type.Optional(
        Type.String({
          minLength: 1,
          description: "image of the installer, in place of what the version names",
        }),
      ),
    },
    closed,
  ),
} as const;

export const installerSchema = Type.Union([
  installerSchemas.simulated,
  installerSchemas["openshift-install"],
  installerSchemas.hive,
]);

export type InstallerConfig = Static<typeof installerSchema>;

/** What is wrong with the `installer` of a configuration, by the kind that it wants to be. */
export function installerProblems(installer: unknown, hasHive: boolean): readonly string[] {
  const kind =
    typeof installer === "object" && installer !== null ? Reflect.get(installer, "kind") : undefined;
  if (!isKind(kind)) return [`/installer/kind must be one of ${Object.keys(installerSchemas).join(", ")}`];
  const problems = Errors(installerSchemas[kind], installer).map(
    (each) => `/installer${each.instancePath} ${each.message}`,
  );
  if (kind === "openshift-install" && !isAbsolute(installer))
    problems.push("/installer/command/0 must be the absolute path of openshift-install");
  if (kind === "hive" && !hasHive)
    problems.push("/hive must be there for installer.kind hive: its kubeconfigFile says where Hive is");
  return problems;
}

function isKind(kind: unknown): kind is keyof typeof installerSchemas {
  return typeof kind === "string" && Object.hasOwn(installerSchemas, kind);
}

function isAbsolute(installer: unknown): boolean {
  const command: unknown = Reflect.get(Object(installer), "command");
  return !Array.isArray(command) || typeof command[0] !== "string" || command[0].startsWith("/");
}
