/** Uses Debian's dnsmasq and bash to test the node files of the operator. */

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "@keelson/base/testing";
import { eventually } from "@keelson/base/testing/eventually";
import { exampleSpec } from "../../testing/index.ts";
import { dnsmasqConf, preStartScript, restartScript } from "./node-files.ts";

const run = promisify(execFile);
// The PATH of unprivileged users lacks /usr/sbin.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const domain = exampleSpec.domain ?? "";
const endpoints = {
  domain,
  apiIntIP: "10.0.0.4",
  ingressIP: "203.0.113.10",
  gatewayDomains: ["registry.example.com"],
  gatewayPrivateEndpointIP: "10.0.0.9",
};

describe("a node's dnsmasq", { skip: isMissing("dnsmasq") }, () => {
  const directory = mkdtempSync(join(tmpdir(), "dnsmasq-"));
  const rendered = join(directory, "dnsmasq.conf");
  const stop = new AbortController();
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  const upstream = createSocket("udp4");
  const forwarded: string[] = [];
  let exited: Promise<unknown>;

  before(async () => {
    upstream.on("message", (query, { port, address }) => {
      forwarded.push(questionName(query));
      upstream.send(answered(query), port, address);
    });
    await once(upstream.bind(0, "127.0.0.1"), "listening");
    writeFileSync(rendered, dnsmasqConf(endpoints));
    // Replaces the node's settings for user, group and path. These settings do not affect DNS responses.
    const local = join(directory, "local.conf");
    const empty = join(directory, "resolv.conf");
    const text = dnsmasqConf(endpoints)
      .replace(/^(?:user|group)=.*\n/gm, "")
      .replace("/etc/resolv.conf.dnsmasq", empty);
    writeFileSync(local, text);
    writeFileSync(empty, "");
    const port = await freePort();
    const options = [
      "--listen-address=127.0.0.1",
      "--bind-interfaces",
      `--port=${port}`,
      "--pid-file=",
      `--server=127.0.0.1#${upstream.address().port}`,
    ];
    const child = spawn("dnsmasq", ["--no-daemon", `--conf-file=${local}`, ...options], {
      env,
      signal: stop.signal,
      stdio: "ignore",
    });
    exited = once(child, "exit").catch(() => undefined);
    resolver.setServers([`127.0.0.1:${port}`]);
    await eventually(() => resolver.resolve4(`api.${domain}`));
  });
  after(async () => {
    stop.abort();
    await exited;
    upstream.close();
    rmSync(directory, { recursive: true });
  });

  test("accepts the configuration as written", async () => {
    const { stderr } = await run("dnsmasq", ["--test", `--conf-file=${rendered}`], { env });
    assert.match(stderr, /syntax check OK/);
  });

  test("rejects an invalid line, which proves that the check can fail", async () => {
    const broken = join(directory, "broken.conf");
    writeFileSync(broken, `${dnsmasqConf(endpoints)}addres=/x/1.2.3.4\n`);
    await assert.rejects(run("dnsmasq", ["--test", `--conf-file=${broken}`], { env }));
  });

  for (const [name, address] of [
    [`api.${domain}`, "10.0.0.4"],
    [`api-int.${domain}`, "10.0.0.4"],
    [`console-openshift-console.apps.${domain}`, "203.0.113.10"],
    [`a.b.apps.${domain}`, "203.0.113.10"],
    ["registry.example.com", "10.0.0.9"],
  ] as const)
    test(`resolves ${name} to ${address} without an IPv6 address and forwards no query`, async () => {
      forwarded.length = 0;
      assert.deepEqual(await resolver.resolve4(name), [address]);
      await assert.rejects(resolver.resolve6(name), { code: "ENODATA" });
      assert.deepEqual(forwarded, []);
    });

  for (const name of [domain, `other.${domain}`, "example.com", "localhost.example"])
    test(`forwards ${name}`, async () => {
      assert.deepEqual(await resolver.resolve4(name), ["192.0.2.53"]);
      assert.ok(forwarded.includes(name));
    });
});

/** Offset of the question in a DNS message (RFC 1035, 4.1.1). */
const questionAt = 12;

function questionName(message: Buffer): string {
  const labels: string[] = [];
  for (let at = questionAt; message[at]; at += (message[at] ?? 0) + 1)
    labels.push(message.toString("latin1", at + 1, at + 1 + (message[at] ?? 0)));
  return labels.join(".").toLowerCase();
}

/** Returns the response of an upstream server that resolves every name to 192.0.2.53. */
function answered(query: Buffer): Buffer {
  const end = questionAt + questionName(query).length + 6;
  const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  // Answer record: pointer to the question, type A, class IN, TTL 60 s, four address bytes.
  const record = Buffer.from([0xc0, questionAt, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 53]);
  return Buffer.concat([header, query.subarray(questionAt, end), record]);
}

describe("a node's scripts", { skip: isMissing("bash") }, () => {
  const directory = mkdtempSync(join(tmpdir(), "node-"));
  const calls = join(directory, "calls");
  const bin = join(directory, "bin");
  const nodeEnv = { ...env, PATH: `${bin}:${env.PATH}` };
  const program = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const bash = (text: string, ...args: readonly string[]) =>
    run("bash", ["-c", text.replaceAll("/etc/", `${directory}/etc/`), "script", ...args], { env: nodeEnv });
  const devices = (...lines: readonly string[]) =>
    program(
      "nmcli",
      [
        `echo "nmcli $*" >>${calls}`,
        'case "$*" in *"device show"*)',
        'case "$*" in *IP4.DNS*) field=DNS ;; *) field=DOMAIN ;; esac',
        'grep "\\.$field" <<END',
        ...lines,
        "END",
        "true ;; esac",
      ].join("\n"),
    );

  before(() => {
    mkdirSync(bin);
    mkdirSync(join(directory, "etc/NetworkManager/conf.d"), { recursive: true });
    writeFileSync(calls, "");
    program("ip", "echo '168.63.129.16 via 10.0.0.1 dev eth0 src 10.0.0.7 uid 0 \\    cache'");
    program("logger", `echo "logger $*" >>${calls}`);
    program("systemctl", `echo "systemctl $*" >>${calls}`);
  });
  after(() => rmSync(directory, { recursive: true }));

  test("dnsmasq's pre-start script leaves the configuration while DHCP names no server", async () => {
    devices("IP4.DOMAIN[1]:a.internal");
    await bash(preStartScript);
    assert.throws(() => read("etc/resolv.conf.dnsmasq"), { code: "ENOENT" });
  });

  test("dnsmasq's pre-start script points the node to dnsmasq, and it to the servers of DHCP", async () => {
    devices(
      "IP4.DNS[1]:168.63.129.16",
      "IP4.DNS[2]:10.1.1.1",
      "IP4.DOMAIN[1]:a.internal",
      "",
      "IP4.DNS[1]:168.63.129.16",
      "IP6.DNS[1]:fd00::1",
      "IP4.DOMAIN[1]:b.internal",
    );
    for (let times = 0; times < 2; times++) {
      await bash(preStartScript);
      assert.deepEqual(read("etc/resolv.conf.dnsmasq").split("\n").slice(1), [
        "nameserver 168.63.129.16",
        "nameserver 10.1.1.1",
        "nameserver fd00::1",
        "",
      ]);
      assert.deepEqual(read("etc/NetworkManager/conf.d/aro-dns.conf").split("\n").slice(1), [
        "[global-dns]",
        "searches=a.internal,b.internal",
        "",
        "[global-dns-domain-*]",
        "servers=10.0.0.7",
        "",
      ]);
    }
    assert.match(read("calls"), /nmcli general reload conf\nnmcli general reload dns-rc\n/);
  });

  for (const [device, action, restarts] of [
    ["eth0", "up", true],
    ["enP12s1", "down", true],
    ["eth0", "dhcp4-change", false],
    ["ovn-k8s-mp0", "up", false],
  ] as const)
    test(`${device} ${action} ${restarts ? "restarts" : "leaves"} dnsmasq`, async () => {
      writeFileSync(calls, "");
      await bash(restartScript, device, action);
      assert.equal(read("calls").includes("systemctl try-restart dnsmasq"), restarts);
      assert.equal(read("calls").includes("99-DNSMASQ-RESTART SCRIPT"), restarts);
    });
});

/** Returns the reason to skip a test if the program is not installed. Returns false if the program is installed. */
function isMissing(name: string): string | false {
  try {
    execFileSync(name, ["--version"], { env, stdio: "ignore" });
    return false;
  } catch {
    return `${name} is not installed`;
  }
}
