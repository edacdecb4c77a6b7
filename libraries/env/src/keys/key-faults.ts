import { isPlainObject } from "@keelson/base";

/** Length of every encryption key in a configuration. */
export const keyBytes = 32;

/** Returns a fault for each key of a configuration that is not 32 bytes in base64. The faults do not contain the keys. */
export function keyFaults({
  skipTokenKey,
  otherSkipTokenKeys,
  portal,
  encryption,
}: KeyFields): readonly string[] {
  const { sessionKeys } = Object(Object(portal).signIn);
  const { keys } = Object(encryption);
  return [
    ...faultOf("/skipTokenKey", skipTokenKey),
    ...faultsOf("/otherSkipTokenKeys", otherSkipTokenKeys),
    ...faultsOf("/portal/signIn/sessionKeys", sessionKeys),
    ...(isPlainObject(keys) ? Object.entries(keys) : []).flatMap(([id, key]) =>
      faultOf(`/encryption/keys/${id}`, key),
    ),
  ];
}

interface KeyFields {
  readonly skipTokenKey?: unknown;
  readonly otherSkipTokenKeys?: unknown;
  readonly portal?: unknown;
  readonly encryption?: unknown;
}

function faultsOf(path: string, keys: unknown): readonly string[] {
  return Array.isArray(keys) ? keys.flatMap((key, at) => faultOf(`${path}/${at}`, key)) : [];
}

/** Ignores values of other types, because the schema reports them. */
function faultOf(path: string, key: unknown): readonly string[] {
  const fault = typeof key === "string" ? lengthFault(path, key) : undefined;
  return fault === undefined ? [] : [fault];
}

/** Returns the fault of a key in base64 with a wrong length. Undefined if the length is right. */
export function lengthFault(name: string, key: string): string | undefined {
  const { length } = Buffer.from(key, "base64");
  if (length === keyBytes) return undefined;
  return `${name} must be ${keyBytes} bytes in base64, not ${length}. Create one with "openssl rand -base64 32"`;
}
