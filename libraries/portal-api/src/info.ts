import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

export const roleSchema = oneOf("reader", "operator", "elevated");
export type Role = Static<typeof roleSchema>;

/** Permission of the signed-in person for one action of the admin API. */
const permissionSchema = closed({
  action: Type.String({ description: "last segments of the action's path, for example `redeployvm`" }),
  allowed: Type.Boolean(),
  needsReason: Type.Boolean({
    description: "true if the action requires a reason, which is written to the audit log",
  }),
});
export type Permission = Static<typeof permissionSchema>;

/** Schema of the signed-in person and the region. */
export const infoSchema = closed({
  location: Type.String(),
  csrf: Type.String({
    description: "value of the header `X-CSRF-Token`, which every changing request must have",
  }),
  username: Type.String(),
  elevated: Type.Boolean(),
  role: roleSchema,
  mayElevate: Type.Optional(
    Type.Boolean({ description: "true if the person may activate the role `elevated`" }),
  ),
  elevatedUntil: Type.Optional(time("end of the activated role `elevated`")),
  permissions: Type.Array(permissionSchema),
  expires: time("expiry time of the sign-in"),
  rpVersion: Type.String(),
  banner: Type.Optional(
    closed({
      text: Type.String({ description: "label of the environment" }),
      link: Type.Optional(closed({ text: Type.String(), url: Type.String() })),
    }),
  ),
  rpversion: Type.String({ description: "the original's spelling" }),
});
export type Info = Static<typeof infoSchema>;

/** Request that ends all sign-ins and sessions of a person. Default: the signed-in person. */
export const signOutRequestSchema = closed({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
});

export const regionsSchema = closed({
  regions: Type.Array(closed({ name: Type.String(), url: Type.String() })),
});
export type Regions = Static<typeof regionsSchema>;
