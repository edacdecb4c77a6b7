import { type Static, Type } from "typebox";

const text = Type.String();
const texts = Type.Record(text, text);
const metadata = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 253 }),
  labels: Type.Optional(texts),
  annotations: Type.Optional(texts),
});

const tag = Type.Object({
  name: text,
  annotations: Type.Optional(texts),
  from: Type.Object({
    kind: Type.Union([
      Type.Literal("DockerImage"),
      Type.Literal("ImageStreamTag"),
      Type.Literal("ImageStreamImage"),
    ]),
    name: text,
    namespace: Type.Optional(text),
  }),
  reference: Type.Optional(Type.Boolean()),
  importPolicy: Type.Optional(
    Type.Object({
      insecure: Type.Optional(Type.Boolean()),
      scheduled: Type.Optional(Type.Boolean()),
      importMode: Type.Optional(
        Type.Union([Type.Literal(""), Type.Literal("Legacy"), Type.Literal("PreserveOriginal")]),
      ),
    }),
  ),
  referencePolicy: Type.Optional(
    Type.Object({
      type: Type.Optional(Type.Union([Type.Literal(""), Type.Literal("Local"), Type.Literal("Source")])),
    }),
  ),
});

/** Supported fields of an ImageStream file (image.openshift.io/v1). */
export const imageStreamSchema = Type.Object({
  apiVersion: text,
  kind: Type.Literal("ImageStream"),
  metadata,
  spec: Type.Object({
    dockerImageRepository: Type.Optional(text),
    lookupPolicy: Type.Optional(Type.Object({ local: Type.Optional(Type.Boolean()) })),
    tags: Type.Optional(Type.Array(tag, { maxItems: 1_000 })),
  }),
});

/** Supported fields of a Template file (template.openshift.io/v1). */
export const templateSchema = Type.Object({
  apiVersion: text,
  kind: Type.Literal("Template"),
  metadata,
  message: Type.Optional(text),
  labels: Type.Optional(texts),
  objects: Type.Array(Type.Record(text, Type.Unknown()), { maxItems: 1_000 }),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: text,
        displayName: Type.Optional(text),
        description: Type.Optional(text),
        value: Type.Optional(text),
        generate: Type.Optional(text),
        from: Type.Optional(text),
        required: Type.Optional(Type.Boolean()),
      }),
      { maxItems: 1_000 },
    ),
  ),
});

export type ImageStreamFile = Static<typeof imageStreamSchema>;
export type ImageStreamFileTag = Static<typeof tag>;
export type TemplateFile = Static<typeof templateSchema>;
