import { type TProperties, Type } from "typebox";

/** Schema of a time in RFC 3339, in UTC. */
export const time = (description: string) =>
  Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$", description });

/** Schema of an object without additional properties. */
export const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** Schema of a string with one of several values. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>(Type.Enum([...words]));
