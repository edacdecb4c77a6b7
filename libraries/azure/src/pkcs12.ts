import forge from "node-forge";

/**
 * Converts a PKCS#12 file without a password to PEM: the private key, its certificate, then the other certificates. Azure's
 * managed identities use this format with algorithms that Node.js does not support.
 * @throws TypeError for an invalid file
 */
export function pemOfPkcs12(file: Buffer): string {
  const { key, certificates } = readPkcs12(file);
  const own = certificates.find(({ publicKey }) => isKeyOf(key, publicKey));
  if (!own) throw new TypeError("the PKCS#12 file has no certificate for its key");
  const chain = [own, ...certificates.filter((each) => each !== own)];
  const parts = [forge.pki.privateKeyToPem(key), ...chain.map((each) => forge.pki.certificateToPem(each))];
  return parts.map((part) => `${part.replaceAll("\r", "").trim()}\n`).join("");
}

interface Contents {
  readonly key: forge.pki.rsa.PrivateKey;
  readonly certificates: readonly forge.pki.Certificate[];
}

function readPkcs12(file: Buffer): Contents {
  try {
    const asn1 = forge.asn1.fromDer(forge.util.createBuffer(file.toString("binary")));
    const pfx = openWithoutPassword(asn1);
    const bags = (oid: string | undefined) =>
      oid === undefined ? [] : (pfx.getBags({ bagType: oid })[oid] ?? []);
    const { pkcs8ShroudedKeyBag, keyBag, certBag } = forge.pki.oids;
    const [holder] = [...bags(pkcs8ShroudedKeyBag), ...bags(keyBag)];
    const key = holder?.key;
    if (!key || !("n" in key)) throw new TypeError("it has no RSA key");
    return { key, certificates: bags(certBag).flatMap(({ cert }) => (cert ? [cert] : [])) };
  } catch (cause) {
    throw new TypeError("not a PKCS#12 file with an RSA key and no password", { cause });
  }
}

/** Opens a file that has an empty password or no password. Programs that create files "without password" may use either form. */
function openWithoutPassword(asn1: forge.asn1.Asn1): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, false, "");
  } catch {
    return forge.pkcs12.pkcs12FromAsn1(asn1, false);
  }
}

function isKeyOf(key: forge.pki.rsa.PrivateKey, publicKey: forge.pki.PublicKey): boolean {
  return "n" in publicKey && publicKey.n.equals(key.n) && publicKey.e.equals(key.e);
}
