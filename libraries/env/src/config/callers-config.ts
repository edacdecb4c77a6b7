import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });
const httpsUrl = (description: string) => Type.String({ pattern: "^https://", description });
const caFile = Type.Optional(
  file("PEM of the authority of that URL's certificate, instead of the well-known ones"),
);

const certificates = Type.Union([
  Type.Object(
    { kind: Type.Literal("listed"), file: file("PEM bundle of the certificates that they may present") },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("published"),
      metadataUrl: httpsUrl(
        "where they are published, for example https://admin.management.azure.com/metadata/authentication?api-version=2015-01-01",
      ),
      caFile,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("named"),
      commonName: Type.String({ minLength: 1, description: "CN of the certificate's subject" }),
      authoritiesFile: file(
        "PEM bundle of the authorities that may have issued it, each with those above it",
      ),
    },
    closed,
  ),
]);

const tokens = Type.Object(
  {
    issuer: Type.String({ minLength: 1, description: "`iss` of the tokens" }),
    audience: Type.String({ minLength: 1, description: "`aud` of the tokens" }),
    keysUrl: httpsUrl("where the issuer publishes its keys (JWKS)"),
    caFile,
    applications: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "IDs of the applications that may call",
    }),
    roles: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: "roles of which a token needs one; any will do when empty",
    }),
    vouchesForNames: Type.Boolean({
      default: false,
      description:
        "true if applications may act for persons that they name in headers; tokens of persons never may",
    }),
  },
  closed,
);

/** One kind of caller. Of certificates and tokens, either is enough where both are given. */
const caller = (description: string) =>
  Type.Object(
    { certificates: Type.Optional(certificates), tokens: Type.Optional(tokens) },
    { ...closed, minProperties: 1, description },
  );

const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [], description });
const role = Type.Union([Type.Literal("reader"), Type.Literal("operator"), Type.Literal("elevated")]);

const roles = Type.Object(
  {
    certificates: Type.Record(Type.String({ minLength: 1 }), role, {
      default: {},
      description: "the role of callers with a certificate, by the CN of its subject; others are refused",
    }),
    groups: Type.Object(
      {
        reader: names("groups and application roles of tokens that may read"),
        operator: names("those that may also do what changes little"),
        elevated: names("those that may do everything"),
      },
      { ...closed, default: {}, description: "by the claims `groups` and `roles`; others are refused" },
    ),
    requireReason: Type.Boolean({
      default: false,
      description: "whether what needs all rights also needs the header X-Keelson-Reason",
    }),
  },
  { ...closed, description: "rights of administrators. Default: all rights" },
);

export const callersSchema = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("anyone"),
        adminTokens: Type.Optional({
          ...tokens,
          description:
            "tokens of administrators: a request of the admin API with a token is verified, others are admitted",
        }),
        adminRoles: Type.Optional(roles),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal("verified"),
        arm: caller("how Azure Resource Manager proves to be it"),
        admin: caller("how administrators prove to be it"),
        adminRoles: Type.Optional(roles),
      },
      closed,
    ),
  ],
  { description: "who may call; `anyone` is for development: `host` must be a loopback address then" },
);

export type CallersConfig = Static<typeof callersSchema>;

/** True if administrative actions that need the role `elevated` also need a reason. */
export function requiresReason({ callers }: { readonly callers?: CallersConfig | undefined }): boolean {
  return callers?.adminRoles?.requireReason === true;
}
export type CallerConfig = Extract<CallersConfig, { kind: "verified" }>["arm"];
export type AdminRolesConfig = Static<typeof roles>;
