import { type Clock, messageOf } from "@keelson/base";
import { errors } from "../registry/errors.ts";
import { HttpConnection, startOfBody, wholeBody } from "../registry/http-connection.ts";
import { parseSignedClaim } from "./signed-claim.ts";

export interface ReleaseKeyring {
  /** OpenPGP public keys, armored. */
  readonly armoredKeys: string;
  /**
   * Base URLs of stores with published signatures: `STORE/sha256=HEX/signature-N`. A valid signature in one store is sufficient.
   */
  readonly stores: readonly string[];
  readonly caPem?: string;
}

const claimType = "atomic container signature";
const maxSignatures = 10;
const maxSignatureBytes = 64 * 1024;

/**
 * Verifies that a store contains a signature of the release by a key of the keyring.
 * @throws SignatureMissing; SignatureInvalid with the problem of each signature
 */
export async function verifyReleaseSignature(
  digest: string,
  keyring: ReleaseKeyring,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await using connection = new HttpConnection(keyring.caPem, "signatures[].caFile");
  const faults: string[] = [];
  for (const store of keyring.stores) {
    for (let number = 1; number <= maxSignatures; number++) {
      const url = `${store}/${digest.replace(":", "=")}/signature-${number}`;
      const found = await signatureAt(url, connection, signal);
      if (typeof found === "string") faults.push(found);
      if (found === undefined || typeof found === "string") break;
      const fault = await faultOf(found, digest, keyring, clock);
      if (fault === undefined) return;
      faults.push(`${url} ${fault}`);
    }
  }
  if (faults.length > 0)
    throw errors.SignatureInvalid(`no signature of release ${digest} is good: ${faults.join("; ")}`);
  throw errors.SignatureMissing(
    `none of ${keyring.stores.join(", ")} has a signature of release ${digest}, and it must have one`,
  );
}

/** Reads one signature. Returns undefined if it does not exist, or an error message if the store cannot be read. */
async function signatureAt(
  url: string,
  connection: HttpConnection,
  signal: AbortSignal,
): Promise<Buffer | string | undefined> {
  const target = URL.parse(url);
  if (target?.protocol !== "https:") return `${url} is no https URL`;
  try {
    const response = await connection.send({ method: "GET", url: target, headers: {}, signal });
    if (response.statusCode === 200) return await wholeBody(response, maxSignatureBytes, url);
    await startOfBody(response);
    return response.statusCode === 404 ? undefined : `${url} was answered with ${response.statusCode}`;
  } catch (error) {
    signal.throwIfAborted();
    return messageOf(error);
  }
}

async function faultOf(
  signed: Buffer,
  digest: string,
  { armoredKeys }: ReleaseKeyring,
  clock: Clock,
): Promise<string | undefined> {
  const { readKeys, readMessage, verify } = await import("openpgp");
  try {
    const message = await readMessage({ binaryMessage: new Uint8Array(signed) });
    const { data, signatures } = await verify({
      message,
      verificationKeys: await readKeys({ armoredKeys }),
      format: "binary",
      date: clock.now(),
      expectSigned: true,
    });
    await Promise.all(signatures.map((each) => each.verified));
    const claim = parseSignedClaim(data);
    if (claim?.type !== claimType) return "is not of a container image";
    if (claim.digest !== digest) return `is of another release, ${claim.digest}`;
    return undefined;
  } catch (error) {
    return `is not good: ${messageOf(error)}`;
  }
}
