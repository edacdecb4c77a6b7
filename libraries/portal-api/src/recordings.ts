import { type Static, Type } from "typebox";
import { closed, oneOf, time } from "./shape.ts";

const text = Type.String();

/** Schema of a recorded channel of an SSH connection, without the recorded output. */
export const recordingSchema = closed({
  id: text,
  username: text,
  master: Type.Integer(),
  kind: oneOf("shell", "exec", "subsystem"),
  command: Type.Optional(Type.String({ description: "absent for a login shell" })),
  session: Type.String({ description: "the connection's, by which its channels belong together" }),
  startedAt: time("of its start"),
  endedAt: Type.Optional(time("absent while it is open, and where the portal was killed")),
  truncated: Type.Boolean({ description: "more was shown than is kept" }),
});
export type RecordingView = Static<typeof recordingSchema>;

export const recordingsSchema = closed({
  recordings: Type.Array(recordingSchema),
  continuation: Type.Optional(Type.String({ description: "of older ones: the query `continuation`" })),
});
export type Recordings = Static<typeof recordingsSchema>;
