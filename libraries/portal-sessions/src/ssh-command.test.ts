import assert from "node:assert/strict";
import { test } from "node:test";
import { isSshUser, portalSshCommand, sshUserOf } from "./ssh-command.ts";

test("the command trusts one key and uses one algorithm of each kind", () => {
  const command = portalSshCommand("ada", "portal.example", { hostKey: "ssh-rsa AAAA", port: 22 });
  assert.equal(
    command,
    "echo 'portal.example ssh-rsa AAAA' > portal.example_known_host ; ssh " +
      "-o UserKnownHostsFile=portal.example_known_host -o Ciphers=aes256-ctr -o HostKeyAlgorithms=rsa-sha2-512 " +
      "-o KexAlgorithms=ecdh-sha2-nistp256 -o MACs=hmac-sha2-256-etm@openssh.com ada@portal.example",
  );
});

test("the command contains a non-default port and key type", () => {
  const command = portalSshCommand("ada", "localhost", { hostKey: "ecdsa-sha2-nistp256 AAAA", port: 2222 });
  assert.match(command, /^echo '\[localhost\]:2222 ecdsa-sha2-nistp256 AAAA' > localhost_known_host ;/);
  assert.match(command, /-o HostKeyAlgorithms=ecdsa-sha2-nistp256 .* -p 2222 ada@localhost$/);
});

test("the SSH user is the part of a user name before @, or the object ID of a subject", () => {
  for (const [username, user] of [
    ["ada@example.com", "ada"],
    ["ada", "ada"],
    ["tenant/object", "object"],
    ["@example.com", ""],
    ["tenant/", ""],
    ["", ""],
  ] as const)
    assert.equal(sshUserOf(username), user, username);
});

test("names that a shell or ssh would interpret differently are rejected", () => {
  for (const name of ["ada", "ada.l_2", "a%b+c-d"]) assert.equal(isSshUser(name), true, name);
  for (const name of ["", "-oProxyCommand=x", "a;b", "a b", "a$b", "a'b", "ä"])
    assert.equal(isSshUser(name), false, name);
});
