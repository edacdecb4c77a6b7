/** Converts a name to snake case. `diskSizeGB` becomes `disk_size_gb`, `OpenShiftVersions` becomes `open_shift_versions`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z]+)/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** Converts a value to an enum member name in the form of Azure's SDKs. `Standard_D16as_v4` becomes `STANDARD_D16_AS_V4`. */
export function constantCase(value: string): string {
  const words = snakeCase(value.replace(/\d+(?=[a-z])/g, "$&_")).replace(/\W+/g, "_");
  return words.replace(/__+/g, "_").toUpperCase();
}

export function className(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the package name of a version. */
export function packageName(version: string): string {
  return `v${version.replaceAll("-", "_")}`;
}

/** Formats a description as a docstring. Empty without a description. */
export function docstring(description: string | undefined, indent: string): string {
  if (description === undefined) return "";
  const lines = description
    .trim()
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .split(/\s*\n\s*/);
  if (lines.length === 1 && !lines[0]?.endsWith('"')) return `${indent}"""${lines[0]}"""\n`;
  return `${indent}"""${lines.join(`\n${indent}`)}\n${indent}"""\n`;
}
