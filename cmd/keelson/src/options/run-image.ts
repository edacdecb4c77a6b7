import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { messageOf } from "@keelson/base";
import { InvalidArgumentError } from "commander";

/** Rule that runs a local program for all images with a name prefix. */
export interface RunImage {
  readonly prefix: string;
  readonly command: string;
}

/** Selects pods by their controller. `*` matches any string. */
export interface PodController {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Matches the names of images that the simulation itself provides, so that no rule can replace them. */
const ownImage = /^keelson(?:$|[:@/])/;
const releaseImage = /(?:^|\/)openshift-release-dev(?:$|[/:@])/;
const releaseRegistry = "quay.io/openshift-release-dev/";

/** @throws InvalidArgumentError */
export function parseRunImage(text: string, others: readonly RunImage[]): RunImage {
  const at = text.indexOf("=");
  const [prefix, command] = [text.slice(0, at), text.slice(at + 1)];
  const example = 'for example "registry.example/installer=/usr/local/bin/installer".';
  if (at < 1 || !/^[a-z0-9][\w.:@/-]*$/.test(prefix))
    throw new InvalidArgumentError(`expected PREFIX=COMMAND with the beginning of an image name, ${example}`);
  if (!isAbsolute(command))
    throw new InvalidArgumentError(`expected an absolute path after =, not "${command}", ${example}`);
  const isRelease = releaseImage.test(prefix) || releaseRegistry.startsWith(withSlash(prefix));
  if (isRelease || ownImage.test(prefix))
    throw new InvalidArgumentError(
      `"${prefix}" stands for images of OpenShift releases or of this program, which stay simulated. Use a longer prefix.`,
    );
  if (others.some((each) => each.prefix === prefix))
    throw new InvalidArgumentError(`"${prefix}" has two programs. Use each prefix once.`);
  try {
    accessSync(command, constants.X_OK);
    if (!statSync(command).isFile()) throw new Error("it is not a file");
  } catch (error) {
    throw new InvalidArgumentError(`${command} cannot be executed: ${messageOf(error)}`);
  }
  return { prefix, command };
}

function withSlash(prefix: string): string {
  return prefix.endsWith("/") ? prefix : `${prefix}/`;
}

/** @throws InvalidArgumentError */
export function parsePodController(text: string): PodController {
  const [namespace = "", kind = "", name = "", ...rest] = text.split("/");
  const isValid =
    /^[a-z0-9*.-]+$/.test(namespace) && /^[A-Za-z*]+$/.test(kind) && /^[a-z0-9*.-]+$/.test(name);
  if (isValid && rest.length === 0) return { namespace, kind, name };
  throw new InvalidArgumentError(
    'expected NAMESPACE/KIND/NAME of a controller, for example "aro-*/Job/*-provision" or "default/Pod/*".',
  );
}
