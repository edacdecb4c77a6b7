import { create, createFileRegistry, type Message } from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";

type Annotations = Record<string, Uint8Array>;

type Request<Name extends string, Members extends object> = GenMessage<Message<`v2.${Name}`> & Members>;

/** Protocol between API servers and KMS plugins, version 2 (k8s.io/kms/apis/v2). */
type KeyManagementService = GenService<{
  status: {
    methodKind: "unary";
    input: Request<"StatusRequest", object>;
    output: Request<"StatusResponse", { version: string; healthz: string; keyId: string }>;
  };
  decrypt: {
    methodKind: "unary";
    input: Request<
      "DecryptRequest",
      { ciphertext: Uint8Array; uid: string; keyId: string; annotations: Annotations }
    >;
    output: Request<"DecryptResponse", { plaintext: Uint8Array }>;
  };
  encrypt: {
    methodKind: "unary";
    input: Request<"EncryptRequest", { plaintext: Uint8Array; uid: string }>;
    output: Request<"EncryptResponse", { ciphertext: Uint8Array; keyId: string; annotations: Annotations }>;
  };
}>;

const { STRING, BYTES, MESSAGE } = Type;
/** Messages of the protocol. The fields of a message are listed in the order of their field numbers. */
const messages = {
  StatusRequest: [],
  StatusResponse: [
    ["version", STRING],
    ["healthz", STRING],
    ["key_id", STRING],
  ],
  DecryptRequest: [
    ["ciphertext", BYTES],
    ["uid", STRING],
    ["key_id", STRING],
    ["annotations", MESSAGE],
  ],
  DecryptResponse: [["plaintext", BYTES]],
  EncryptRequest: [
    ["plaintext", BYTES],
    ["uid", STRING],
  ],
  EncryptResponse: [
    ["ciphertext", BYTES],
    ["key_id", STRING],
    ["annotations", MESSAGE],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [name: string, type: Type])[]>>;

/** Builds the service descriptor. It is not built when the module is loaded, because few processes need it. */
export function keyManagementService(): KeyManagementService {
  const field = (name: string, at: number, type: Type, more: object = {}) => ({
    name,
    number: at + 1,
    type,
    label: Label.OPTIONAL,
    ...more,
  });
  const file = create(FileDescriptorProtoSchema, {
    name: "kms/v2.proto",
    package: "v2",
    syntax: "proto3",
    messageType: Object.entries(messages).map(([name, fields]) => ({
      name,
      field: fields.map(([member, type], at) => {
        const entries = { label: Label.REPEATED, typeName: `.v2.${name}.AnnotationsEntry` };
        return field(member, at, type, type === MESSAGE ? entries : {});
      }),
      nestedType: fields.some(([, type]) => type === MESSAGE)
        ? [
            {
              name: "AnnotationsEntry",
              field: [field("key", 0, STRING), field("value", 1, BYTES)],
              options: { mapEntry: true },
            },
          ]
        : [],
    })),
    service: [
      {
        name: "KeyManagementService",
        method: ["Status", "Decrypt", "Encrypt"].map((name) => ({
          name,
          inputType: `.v2.${name}Request`,
          outputType: `.v2.${name}Response`,
        })),
      },
    ],
  });
  const service = createFileRegistry(file, () => undefined).getService("v2.KeyManagementService");
  if (!service) throw new Error("the file descriptor has no key management service");
  // The TypeScript types above match the descriptor.
  return service as unknown as KeyManagementService;
}
