import { Type } from "typebox";

const closed = { additionalProperties: false };
const file = (description: string) => Type.String({ minLength: 1, description });
const url = "^https?://[^\\s/]+";

/** Azure cloud in which the service runs. */
export const azureSchema = Type.Object(
  {
    armEndpoint: Type.String({
      pattern: url,
      description: "Azure Resource Manager, for example https://management.azure.com",
    }),
    loginEndpoint: Type.String({
      pattern: url,
      description: "identity provider, for example https://login.microsoftonline.com",
    }),
    audience: Type.String({ description: "audience of ARM tokens" }),
    graphEndpoint: Type.Optional(
      Type.String({
        pattern: url,
        description: "Microsoft Graph endpoint of a cloud that is not an Azure cloud",
      }),
    ),
    caFile: Type.Optional(file("CA certificate to trust in addition to the system's CAs, PEM")),
    pollIntervalMs: Type.Integer({
      minimum: 10,
      default: 10_000,
      description: "time between polls of long-running operations without a Retry-After header",
    }),
  },
  closed,
);

const rereadFile = (description: string) => Type.String({ minLength: 1, description, reread: true });

/** Application of the service in Entra ID. `firstPartyProblems` checks that the application has exactly one credential. */
export const firstPartySchema = Type.Object(
  {
    clientId: Type.String({ description: "client ID of the service's application in Entra ID" }),
    clientSecret: Type.Optional(
      Type.String({
        description: "secret of the service's application",
        secret: true,
        reread: true,
      }),
    ),
    certificateFile: Type.Optional(
      rereadFile("certificate of the service's application, PEM, instead of `clientSecret`"),
    ),
    keyFile: Type.Optional(rereadFile("private key of that certificate, PEM")),
  },
  {
    ...closed,
    description:
      "the service's application in Entra ID. Set either `clientSecret`, or `certificateFile` and `keyFile`",
  },
);
