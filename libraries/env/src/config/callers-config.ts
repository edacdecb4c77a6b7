import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });
const rereadFile = (description: string) => Type.String({ minLength: 1, description, reread: true });
const httpsUrl = (description: string) => Type.String({ pattern: "^https://", description });
const caFileOf = (field: string) =>
  Type.Optional(file(`CA certificate of the server in \`${field}\`, PEM. Default: the system's CAs`));

const certificates = Type.Union([
  Type.Object(
    {
      kind: Type.Literal("listed"),
      file: rereadFile("PEM bundle of the accepted client certificates"),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("published"),
      metadataUrl: httpsUrl(
        "URL that publishes the accepted certificates, for example https://admin.management.azure.com/metadata/authentication?api-version=2015-01-01",
      ),
      caFile: caFileOf("metadataUrl"),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("named"),
      commonName: Type.String({ minLength: 1, description: "CN of the certificate's subject" }),
      authoritiesFile: rereadFile(
        "PEM bundle of the CA certificates that may issue the certificate, with complete chains",
      ),
    },
    closed,
  ),
]);

const tokens = Type.Object(
  {
    issuer: Type.String({ minLength: 1, description: "`iss` of the tokens" }),
    audience: Type.String({ minLength: 1, description: "`aud` of the tokens" }),
    keysUrl: httpsUrl("URL of the issuer's signing keys (JWKS)"),
    caFile: caFileOf("keysUrl"),
    applications: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "IDs of the applications that may call",
    }),
    roles: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "application roles; a token must have at least one of them. If the list is empty, roles are not checked",
    }),
    vouchesForNames: Type.Boolean({
      default: false,
      description:
        "true if applications may act for users that they name in headers. Tokens of users never have this permission",
    }),
  },
  closed,
);

/** Returns the schema of one kind of caller. If both certificates and tokens are configured, a caller needs only one of them. */
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
      description:
        "role of each caller with a certificate, by the CN of its subject. Other callers are rejected",
    }),
    groups: Type.Object(
      {
        reader: names("groups and application roles of tokens that may read"),
        operator: names("groups and roles that may also perform low-risk changes"),
        elevated: names("groups and roles that may perform all actions"),
      },
      {
        ...closed,
        default: {},
        description: "roles by the claims `groups` and `roles`. Other tokens are rejected",
      },
    ),
    requireReason: Type.Boolean({
      default: false,
      description: "true if actions that need the role `elevated` also need the header X-Keelson-Reason",
    }),
  },
  { ...closed, description: "permissions of administrators. Default: all permissions" },
);

export const callersSchema = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("anyone"),
        adminTokens: Type.Optional({
          ...tokens,
          description:
            "verification of administrators' tokens. Admin API requests without a token are accepted",
        }),
        adminRoles: Type.Optional(roles),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal("verified"),
        arm: caller("authentication of Azure Resource Manager"),
        admin: caller("authentication of administrators"),
        adminRoles: Type.Optional(roles),
      },
      closed,
    ),
  ],
  { description: "accepted callers. `anyone` is for development and requires a loopback address as `host`" },
);

export type CallersConfig = Static<typeof callersSchema>;

/** True if administrative actions that require the role `elevated` also require a reason. */
export function requiresReason({ callers }: { readonly callers?: CallersConfig | undefined }): boolean {
  return callers?.adminRoles?.requireReason === true;
}
export type CallerConfig = Extract<CallersConfig, { kind: "verified" }>["arm"];
export type AdminRolesConfig = Static<typeof roles>;
