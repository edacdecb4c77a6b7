/**
 * Simulates a new user on a fresh Debian with make, an older Node.js and npm, and a clean checkout. The user is not root. Follows
 * the README literally. Checks `keelson doctor` and shell completion. After the package installation, the network is isolated.
 * Finally, builds and starts the container image with buildah and podman.
 *
 * Takes some minutes. Run as root:
 *
 *     node tests/packaging/stranger.ts
 *
 * The last line is `N passed, N failed`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { documentBlocks } from "../e2e/support/document-blocks.ts";
import { isSource } from "./support/sources.ts";

const repository = resolve(import.meta.dirname, "../..");
const packages = ["make", "nodejs", "ca-certificates", "curl", "gettext-base", "zsh", "fish"];
const user = 1000;
const authorities = "/etc/ssl/certs/ca-certificates.crt";

/** First step of `make up`. It runs while the network is still available. */
const installing = `set -e
cd "$HOME/keelson"
echo "node $(node --version), npm $(npm --version)"
make node_modules/.keelson-installed
`;

/**
 * Configures the shell and completes `keelson mi`. Does not use `grep -q` because this command exits before it has read its
 * complete input.
 */
const completion = {
  bash: `bash --norc -c 'source <(./keelson completion bash); COMP_WORDS=(keelson mi); COMP_CWORD=1; _keelson; printf "%s\\n" "\${COMPREPLY[@]}"' | grep -x mirror`,
  zsh: `zsh -fc 'autoload -U compinit; compinit -u -D; source <(./keelson completion zsh); (( $+_comps[keelson] ))'`,
  fish: `fish --no-config -c './keelson completion fish | source; complete -C "keelson mi"' | grep '^mirror'`,
};

const brokenInstallation = `./keelson doctor
mv .keelson/tls-key.pem .keelson/elsewhere
code=0
./keelson doctor >/tmp/findings || code=$?
mv .keelson/elsewhere .keelson/tls-key.pem
[ "$code" -eq 1 ]
grep '^FAILED ' /tmp/findings`;

const directory = mkdtempSync(join(tmpdir(), "keelson-stranger-"));
const debian = join(directory, "debian");
try {
  makeDebian();
  // Bind mounts and the network namespace disappear when the process in them exits.
  const failed =
    enter(["unshare", "--mount"], installing) ||
    enter(["unshare", "--mount", "--net"], walkThrough()) ||
    containerImageFails();
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function makeDebian(): void {
  const release = execFileSync("sh", ["-c", '. /etc/os-release && echo "$VERSION_CODENAME"'], {
    encoding: "utf8",
  });
  const include = `--include=${packages.join(",")}`;
  run("mmdebstrap", "--quiet", "--variant=essential", include, release.trim(), debian);
  // Installs npm from the registry because Debian's npm depends on 400 packages.
  run("npm", "install", "--prefix", join(directory, "npm"), "--no-audit", "--no-fund", "--no-save", "npm@10");
  cpSync(join(directory, "npm/node_modules/npm"), join(debian, "usr/lib/node_modules/npm"), {
    recursive: true,
  });
  writeFileSync(
    join(debian, "usr/bin/npm"),
    '#!/bin/sh\nexec node /usr/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
  );
  chmodSync(join(debian, "usr/bin/npm"), 0o755);
  for (const path of [authorities, "/etc/resolv.conf"])
    if (existsSync(path)) cpSync(path, join(debian, path), { dereference: true });
  writeFileSync(join(debian, "etc/hosts"), "127.0.0.1 localhost\n");
  const home = join(debian, "home/stranger");
  mkdirSync(home, { recursive: true });
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) cpSync(npmrc, join(home, ".npmrc"));
  const filter = (path: string) => isSource(relative(repository, path));
  cpSync(repository, join(home, "keelson"), { recursive: true, filter });
  run("chown", "-R", `${user}:${user}`, home);
}

/**
 * Runs a script as a user who can access only the Debian file system.
 * @returns true if the script failed
 */
function enter(namespaces: readonly string[], script: string): boolean {
  writeFileSync(join(debian, "tmp/script"), script, { mode: 0o755 });
  const inside = [
    "set -e",
    // Enables the loopback interface, which is down in a new network namespace.
    '[ -z "$1" ] || ip link set lo up',
    `mount --rbind /dev '${debian}/dev'`,
    `mount --rbind /proc '${debian}/proc'`,
    `exec chroot --userspec=${user}:${user} '${debian}' env -i HOME=/home/stranger PATH=/usr/bin:/bin NODE_EXTRA_CA_CERTS=${authorities} bash /tmp/script`,
  ];
  const [command = "", ...flags] = namespaces;
  const own = flags.includes("--net") ? "net" : "";
  const { status } = spawnSync(command, [...flags, "sh", "-c", inside.join("\n"), "sh", own], {
    stdio: "inherit",
  });
  return status !== 0;
}

/**
 * Runs the container image as a machine of the service does, if the required tools are installed. If tools are missing, the image
 * tests report them.
 */
function containerImageFails(): boolean {
  const test = ["scripts/run-tests.ts", ".client-test.ts", "tests/packaging/image.client-test.ts"];
  const { status } = spawnSync(process.execPath, test, { cwd: repository, stdio: "inherit" });
  return status !== 0;
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns the README's commands as one script, so that shell variables remain set between commands. */
function walkThrough(): string {
  const [up = ""] = documentBlocks("README.md", "Start");
  const steps: [string, string][] = [
    ["make up", up],
    ["kubeconfig of the demo", './keelson kubeconfig demo | grep \'^kind: Config\\|"kind": *"Config"\''],
    ["doctor finds nothing wrong", "./keelson doctor\n./keelson doctor -o json | grep -c '\"findings\"'"],
    ["completion of bash", completion.bash],
    ["completion of zsh", completion.zsh],
    ["completion of fish", completion.fish],
    ...documentBlocks("docs/arm-api.md", "Cluster life cycle").map((block, at): [string, string] => [
      `docs/arm-api.md, ${at + 1}`,
      `${block}\nended`,
    ]),
    ...documentBlocks("docs/managed-identities.md", "Example").map((block, at): [string, string] => [
      `docs/managed-identities.md, ${at + 1}`,
      `${block}\nended`,
    ]),
    ...documentBlocks("README.md", "Commands").map((block, at): [string, string] => [
      `commands, ${at + 1}`,
      block,
    ]),
    ["make down", "make down"],
    ["doctor detects the problem, and reports it in its exit code", brokenInstallation],
    ["make up again, with its clusters", "make up && ./keelson kubeconfig demo >/dev/null && make down"],
  ];
  return `cd "$HOME/keelson"
passed=0
# Waits until no cluster is being worked on; a deleted one is none.
ended() {
  until curl -sk "https://localhost:8443/subscriptions/$AZURE_SUBSCRIPTION_ID/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25" |
    tee /tmp/clusters | grep -q '"value"' && ! grep -q '"provisioningState": *"[A-Za-z]*ing"' /tmp/clusters; do sleep 1; done
  ! grep -q '"provisioningState": *"Failed"' /tmp/clusters
}
step() {
  echo "== $1 ($SECONDS s)"
  # A command of a block that fails ends the block.
  set -e
}
trap 'failed=$?; if [ $failed -ne 0 ]; then make down >/dev/null 2>&1; tail -n 20 .keelson/keelson.log; failed=1; fi; echo "$passed passed, $failed failed"; exit $failed' EXIT
set -o pipefail
${steps.map(([title, block]) => `step '${title}'\n${block}\npassed=$((passed + 1))`).join("\n")}
set +e
`;
}
