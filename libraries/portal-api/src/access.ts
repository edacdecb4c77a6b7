import { type Static, Type } from "typebox";
import { closed } from "./shape.ts";

export const sshRequestSchema = closed({ master: Type.Integer({ minimum: 0, maximum: 2 }) });

/** SSH command with its password, or an error. A response contains either the command or the error. */
export const sshAccessSchema = closed({
  command: Type.Optional(Type.String({ description: "command for a shell" })),
  password: Type.Optional(
    Type.String({ description: "password that is valid for one connection within a minute" }),
  ),
  error: Type.Optional(Type.String()),
});
export type SshAccess = Static<typeof sshAccessSchema>;
