export function failureText(name: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(`${name}:`) ? text : `${name}: ${reason(error)}`;
}

/** Returns the message of a system error without host paths. */
export function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "No such file or directory";
    case "EEXIST":
      return "File exists";
    case "EISDIR":
      return "Is a directory";
    case "ENOTDIR":
      return "Not a directory";
    case "ENOTEMPTY":
      return "Directory not empty";
    case undefined:
      return error instanceof Error ? error.message : String(error);
    default:
      return String(code);
  }
}
