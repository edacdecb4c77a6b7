import { type Command, InvalidArgumentError } from "commander";
import { namesOption } from "./node-options.ts";

/** Validates a hash of eight base64url characters, as in the field `encryptionStatus`. */
export function parseConfigHash(text: string): string {
  if (text.length !== 8 || !/^[A-Za-z0-9_-]*={0,2}$/.test(text))
    throw new InvalidArgumentError('expected a hash such as "cuZm_g==".');
  return text;
}

export function addSockets(command: Command): Command {
  return command.addOption(
    namesOption(
      "kms-sockets",
      "sockets of the KMS plugins, for example unix:///var/run/kmsplugin/kms-1.sock (at least one is required); comma-separated, repeatable",
    ),
  );
}
