import { isPlainObject } from "@keelson/base";
import type { HostFile, HostSettings } from "./host-settings.ts";
import { type PartName, partDirectory, runDirectory } from "./parts.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Configuration fields that only the resource provider reads, and not the other components. */
const providerFields = ["tls", "callers", "skipTokenKey", "otherSkipTokenKeys", "installer"];

/** Paths of the configuration fields that each component does not read. */
const unreadFields: Readonly<Record<PartName, readonly string[]>> = {
  rp: ["portal.keyFile", "portal.signIn", "portal.ssh.keyFile", "portal.ssh.proxy"],
  "mimo-actuator": [...providerFields, "portal"],
  "mimo-scheduler": [...providerFields, "portal", "hive"],
  monitor: [...providerFields, "portal"],
  portal: [...providerFields, "hive"],
};

/**
 * Configuration of one component. Contains only the fields and files that the component reads. All files are in the component's
 * directory.
 */
export interface PartSettings {
  readonly name: PartName;
  readonly service: Fields;
  readonly files: readonly HostFile[];
}

export function partsOf({ service, files, parts }: HostSettings): readonly PartSettings[] {
  return parts.map((part) => {
    const read = unreadFields[part].reduce((fields, path) => without(fields, path.split(".")), service);
    const moved = files
      .flatMap(fileNames)
      .reduce(
        (text, name) => text.replaceAll(pathOf(name), `${partDirectory(part)}/${name}`),
        JSON.stringify(read),
      );
    return {
      name: part,
      service: JSON.parse(moved),
      files: files.flatMap((file) => filesNamedIn(read, file)),
    };
  });
}

/** True if the configuration references this file. */
export function namesFile(fields: Fields, name: string): boolean {
  return pathOf(name).test(JSON.stringify(fields));
}

/**
 * Returns the given file if the configuration references it, and an empty list otherwise. If the configuration references only a
 * certificate, the result does not include the certificate's key.
 */
function filesNamedIn(fields: Fields, file: HostFile): readonly HostFile[] {
  if (!("secret" in file)) return namesFile(fields, file.name) ? [file] : [];
  const { keyFile, ...certificate } = file;
  if (keyFile !== undefined && namesFile(fields, keyFile)) return [file];
  return namesFile(fields, certificate.certificateFile) ? [certificate] : [];
}

function fileNames(file: HostFile): readonly string[] {
  if (!("secret" in file)) return [file.name];
  return file.keyFile === undefined ? [file.certificateFile] : [file.certificateFile, file.keyFile];
}

/**
 * Returns a pattern that matches the complete path of a file. The pattern does not match a longer path that begins with the
 * file's path.
 */
function pathOf(name: string): RegExp {
  return new RegExp(`${RegExp.escape(`${runDirectory}/${name}`)}(?![\\w./-])`, "g");
}

function without(fields: Fields, [field = "", ...path]: readonly string[]): Fields {
  const { [field]: value, ...rest } = fields;
  if (path.length === 0 || !isPlainObject(value)) return path.length === 0 ? rest : fields;
  return { ...rest, [field]: without(value, path) };
}
