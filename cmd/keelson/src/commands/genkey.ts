import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";

interface GenkeyFlags {
  readonly client?: boolean;
  readonly ca?: boolean;
  readonly keyFile?: string;
  readonly certFile?: string;
  readonly days: number;
  readonly output: "table" | "json";
}

const never = "existing files are never overwritten";

export function addGenkey(root: Command): Command {
  return root
    .command("genkey")
    .description(
      "create an RSA key and a certificate. Writes the files NAME.pem (PKCS#8 key and certificate), NAME.key (PKCS#1 DER key) and NAME.crt (DER certificate)",
    )
    .argument(
      "<commonName>",
      "common name of the certificate, and NAME in the file names. A server certificate also contains this name as its DNS name",
      parseCommonName,
    )
    .option("--client", "create a client certificate (default: server certificate)")
    .option("--ca", "create a CA certificate (default: server certificate)")
    .option(
      "--key-file <pem>",
      "private key of the CA that signs the certificate; requires --cert-file (default: self-signed certificate)",
    )
    .option("--cert-file <pem>", "certificate of the CA that signs the certificate; requires --key-file")
    .addOption(new Option("--days <n>", "validity in days").default(365).argParser(parseDays))
    .addOption(outputOption())
    .addHelpText("after", `\nWrites the files to the current directory; ${never}.`)
    .addHelpText(
      "after",
      "\nExamples:\n  keelson genkey portal.example.com\n  keelson genkey --client proxy-client --days 90",
    )
    .action(generate);
}

async function generate(commonName: string, flags: GenkeyFlags, command: Command): Promise<void> {
  if (flags.ca && flags.client) command.error("error: use either --ca or --client, not both");
  if ((flags.keyFile === undefined) !== (flags.certFile === undefined))
    command.error("error: --key-file and --cert-file go together: both belong to the signing authority");
  const paths = ["pem", "key", "crt"].map((ending) => resolve(`${commonName.replace("*", "_")}.${ending}`));
  const present = paths.find((path) => existsSync(path));
  if (present) throw cliErrors.RequestFailed(`${present} exists; ${never}: move it away`);
  const { certificatePem, privateKeyPem } = flags.ca
    ? await createCertificateAuthority(commonName, flags.days, "rsa", signer(flags))
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
  const made = { pem: pemPath, key: keyPath, crt: certPath };
  process.stdout.write(flags.output === "json" ? `${JSON.stringify(made)}\n` : `${paths.join("\n")}\n`);
}

/** The common name is also used as a DNS name, a client name and a file name. */
function parseCommonName(text: string): string {
  if (!/^[-A-Za-z0-9._*:@ ]{1,64}$/.test(text))
    throw new InvalidArgumentError("expected 1 to 64 letters, digits, blanks and -._*:@.");
  return text;
}

/** Maximum validity: 100 years. Some TLS implementations cannot parse later dates. */
function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 36_500)
    throw new InvalidArgumentError("expected days, 1 to 36500.");
  return days;
}

function signer({ certFile, keyFile }: GenkeyFlags): KeyPair | undefined {
  if (!certFile || !keyFile) return undefined;
  const pair = {
    certificatePem: readFileSync(certFile, "utf8"),
    privateKeyPem: readFileSync(keyFile, "utf8"),
  };
  if (isPair(pair)) return pair;
  throw cliErrors.RequestFailed(
    `${certFile} and ${keyFile} are not a certificate and its key, each in PEM: "keelson genkey --ca" makes some`,
  );
}

function isPair({ certificatePem, privateKeyPem }: KeyPair): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem));
  } catch {
    return false;
  }
}
