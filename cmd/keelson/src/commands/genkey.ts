import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { type Command, Option } from "commander";
import { cliErrors } from "../cli-errors.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";

interface GenkeyFlags {
  readonly client?: boolean;
  readonly ca?: boolean;
  readonly keyFile?: string;
  readonly certFile?: string;
  readonly days: number;
}

const never = "files that exist are never overwritten";

export function addGenkey(root: Command): Command {
  return root
    .command("genkey")
    .description(
      "make an RSA key and a certificate: NAME.pem (PKCS#8 key and certificate), NAME.key (PKCS#1 DER), NAME.crt (DER)",
    )
    .argument("<commonName>", "common name; also the DNS name of a server certificate, and the file name")
    .option("--client", "for a client rather than a server")
    .option("--ca", "a certificate authority")
    .option("--key-file <pem>", "key of the authority that signs (self-signed without)")
    .option("--cert-file <pem>", "certificate of the authority that signs")
    .addOption(new Option("--days <n>", "validity in days").default(365).argParser(Number))
    .addHelpText("after", `\nWrites into the current directory; ${never}.`)
    .action(generate);
}

async function generate(commonName: string, flags: GenkeyFlags): Promise<void> {
  if (!/^[-A-Za-z0-9._*:@ ]+$/.test(commonName)) {
    throw cliErrors.RequestFailed(
      `common name "${commonName}" cannot be a file name: use letters, digits and -._*:@`,
    );
  }
  if ((flags.keyFile === undefined) !== (flags.certFile === undefined)) {
    throw cliErrors.RequestFailed(
      "--key-file and --cert-file go together: both belong to the signing authority",
    );
  }
  const paths = ["pem", "key", "crt"].map((ending) => resolve(`${commonName.replace("*", "_")}.${ending}`));
  const present = paths.find((path) => existsSync(path));
  if (present) throw cliErrors.RequestFailed(`${present} exists; ${never}: move it away`);
  const { certificatePem, privateKeyPem } = flags.ca
    ? await createCertificateAuthority(commonName, flags.days, "rsa")
    : await issueCertificate(signer(flags), {
        commonName,
        usage: flags.client ? "client" : "server",
        validDays: flags.days,
        keyType: "rsa",
        ...(flags.client ? {} : { dnsNames: [commonName] }),
      });
  const [pemPath = "", keyPath = "", certPath = ""] = paths;
  writeFileAtomically(pemPath, privateKeyPem + certificatePem, 0o600);
  writeFileAtomically(
    keyPath,
    createPrivateKey(privateKeyPem).export({ type: "pkcs1", format: "der" }),
    0o600,
  );
  writeFileAtomically(certPath, new X509Certificate(certificatePem).raw, 0o644);
  process.stdout.write(`${paths.join("\n")}\n`);
}

function signer({ certFile, keyFile }: GenkeyFlags): KeyPair | undefined {
  if (!certFile || !keyFile) return undefined;
  return { certificatePem: readFileSync(certFile, "utf8"), privateKeyPem: readFileSync(keyFile, "utf8") };
}
