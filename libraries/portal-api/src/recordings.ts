import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const text = Type.String();

/** Schema of a recorded channel of an SSH connection, without the recorded output. */
const recordingSchema = closed({
  id: text,
  username: text,
  master: Type.Integer(),
  kind: oneOf("shell", "exec", "subsystem"),
  command: Type.Optional(Type.String({ description: "command of the session. Missing for a login shell" })),
  session: Type.String({ description: "ID of the SSH connection, which all its channels share" }),
  startedAt: time("start of the recording"),
  endedAt: Type.Optional(
    time("end of the recording. Missing while the session is open, and if the portal was killed"),
  ),
  truncated: Type.Boolean({ description: "true if the recording contains only a part of the output" }),
});
export type RecordingView = Static<typeof recordingSchema>;

export const recordingsSchema = closed({
  recordings: Type.Array(recordingSchema),
  continuation: Type.Optional(
    Type.String({ description: "value of the query parameter `continuation` that returns older recordings" }),
  ),
});
export type Recordings = Static<typeof recordingsSchema>;
