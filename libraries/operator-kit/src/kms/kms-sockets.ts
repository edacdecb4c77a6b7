const pattern = /^unix:(?:\/\/)?(\/var\/run\/kmsplugin\/kms-(\d{1,15})\.sock)$/;

/** Validates the sockets of a pod's plugins. Returns the problem, or undefined if the sockets are valid. */
export function socketsProblem(sockets: readonly string[]): string | undefined {
  if (sockets.length === 0) return "--kms-sockets is required, at least one";
  const wrong = sockets.find((each) => !each.startsWith("unix:///") || !pattern.test(each));
  if (wrong !== undefined)
    return `--kms-sockets entry ${JSON.stringify(wrong)} must be like unix:///var/run/kmsplugin/kms-1.sock`;
  const twice = sockets.find((each, at) => sockets.indexOf(each) !== at);
  return twice === undefined ? undefined : `--kms-sockets entry ${JSON.stringify(twice)} is duplicated`;
}

export function pathOfSocket(socket: string): string {
  return pattern.exec(socket)?.[1] ?? "";
}

/** Returns the key number in a plugin's socket name. */
export function keyIdOfSocket(socket: string): string {
  return pattern.exec(socket)?.[2] ?? "";
}
