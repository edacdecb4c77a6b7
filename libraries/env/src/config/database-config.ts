import { Type } from "typebox";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });

/** Document store of the service. */
export const databaseSchema = Type.Union([
  Type.Object(
    { kind: Type.Literal("embedded"), directory: file("data directory of the embedded PostgreSQL") },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("postgres"),
      url: Type.String({
        description:
          "postgres://user:password@host/db. `passwordFile` or `passwordCommand` can provide the password instead. " +
          "A running process uses a changed user and password. The rest of the URL takes effect with the next start",
        secret: true,
        reread: true,
      }),
      passwordFile: Type.Optional(
        Type.String({
          minLength: 1,
          reread: true,
          description:
            "file with the password, instead of the password in the URL. It is read for each new connection",
        }),
      ),
      passwordCommand: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          description:
            "program and arguments. The program prints the password, for example a cloud token. It runs for new connections, at most once in 30 s",
        }),
      ),
      maxConnections: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            "maximum number of connections of this process for statements. Default: 10. The process opens two additional connections: one for notifications and one for the commit probe",
        }),
      ),
      migrations: Type.Optional(
        Type.Union([Type.Literal("apply"), Type.Literal("require")], {
          description:
            '"apply" (default): apply missing migrations at start. "require": refuse to start until "keelson migrate" has applied all migrations',
        }),
      ),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("cosmos"),
      endpoint: Type.String({
        pattern: "^https://",
        description: "Cosmos DB account, for example https://account.documents.azure.com",
      }),
      databaseName: Type.String({
        default: "keelson",
        minLength: 1,
        description:
          "database of the account. If the credential permits it, the service creates the database and its containers",
      }),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          secret: true,
          description: "account key, base64. Default: the service authenticates with its application",
        }),
      ),
      caFile: Type.Optional(file("CA certificate of the account, PEM, if the system does not trust its CA")),
    },
    closed,
  ),
]);

/** Returns contradictions between fields of `database`. */
export function databaseProblems(database: unknown): readonly string[] {
  const { kind, passwordFile, passwordCommand } = Object(database);
  return kind === "postgres" && passwordFile && passwordCommand
    ? ["/database has both passwordFile and passwordCommand: remove one"]
    : [];
}
