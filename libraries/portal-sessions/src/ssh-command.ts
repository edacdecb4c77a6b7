import type { PortalSsh } from "@keelson/auth";

/**
 * SSH algorithms of the server. For each purpose, the list has one algorithm that is approved for FIPS 140-3. The server supports
 * no other algorithms.
 */
const algorithms = {
  Ciphers: "aes256-ctr",
  KexAlgorithms: "ecdh-sha2-nistp256",
  MACs: "hmac-sha2-256-etm@openssh.com",
};

/** Returns a shell command that connects to the portal's SSH server and verifies its host key. */
export function portalSshCommand(user: string, host: string, { hostKey, port }: PortalSsh): string {
  const file = `${host}_known_host`;
  const [type = ""] = hostKey.split(" ");
  const options = {
    UserKnownHostsFile: file,
    Ciphers: algorithms.Ciphers,
    // A key of type `ssh-rsa` must sign with SHA-2 here, because the signature algorithm `ssh-rsa` uses SHA-1.
    HostKeyAlgorithms: type === "ssh-rsa" ? "rsa-sha2-512" : type,
    KexAlgorithms: algorithms.KexAlgorithms,
    MACs: algorithms.MACs,
  };
  const known = `${port === 22 ? host : `[${host}]:${port}`} ${hostKey}`;
  return [
    `echo '${known}' > ${file} ;`,
    "ssh",
    ...Object.entries(options).map(([name, value]) => `-o ${name}=${value}`),
    ...(port === 22 ? [] : [`-p ${port}`]),
    `${user}@${host}`,
  ].join(" ");
}

/**
 * Returns the SSH user name of a person. It is the part of the person's name before `@`. If the name is the subject
 * `TENANT/OBJECT` of a token, it is the object ID. Check the result with `isSshUser`.
 */
export function sshUserOf(username: string): string {
  const [name = ""] = username.split("@", 1);
  return name.slice(name.lastIndexOf("/") + 1);
}

/** True for a safe SSH user name. A shell parses such a name as one word, and ssh does not parse it as an option. */
export function isSshUser(text: string): boolean {
  return /^[a-zA-Z0-9._%+][a-zA-Z0-9._%+-]*$/.test(text);
}
