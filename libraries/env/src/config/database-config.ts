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
          "postgres://user:password@host/db; the password may be in a file or from a command instead",
        secret: true,
        reread: true,
      }),
      passwordFile: Type.Optional(
        Type.String({
          minLength: 1,
          reread: true,
          description: "file with the password, read for each new connection, instead of that in the URL",
        }),
      ),
      passwordCommand: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          description:
            "program with its arguments that prints the password, for example a token of a cloud; run for new connections, at most once in 30 s",
        }),
      ),
      maxConnections: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            "maximum connections of this process. Default: 10. One additional connection listens for changes",
        }),
      ),
      migrations: Type.Optional(
        Type.Union([Type.Literal("apply"), Type.Literal("require")], {
          description:
            'apply missing migrations at start ("apply", the default), or refuse to start without them ("require": "keelson migrate" applies them)',
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
          "database of the account. It is created, with its containers, if the credential permits this",
      }),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          secret: true,
          description:
            "secret key of the account, base64. Default: authentication as the service's application",
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
