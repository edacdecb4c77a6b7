import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { afterTurnsOfOthers } from "../../testing/after-turns.ts";
import { ContainerFiles } from "../container-files.ts";
import { Shell } from "./shell.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "text-tools-"));
});
after(() => rm(folder, { recursive: true }));

async function run(script: string, input = "", signal = AbortSignal.timeout(900_000)) {
  let stdout = "";
  let stderr = "";
  const files = new ContainerFiles(join(folder, "root"), []);
  await files.make();
  const shell = new Shell({ files, clock: systemClock, signal }, { HOME: "/root" }, ["sh"]);
  const status = await shell.run(script, {
    stdin: Readable.from(input ? [Buffer.from(input)] : []),
    stdout: (chunk: Uint8Array | string) => {
      stdout += Buffer.from(chunk).toString();
    },
    stderr: (chunk: Uint8Array | string) => {
      stderr += Buffer.from(chunk).toString();
    },
  });
  return { status, stdout, stderr };
}

const people = "ann 30 oslo\nbob 25 rome\ncid 41 oslo\n";
const csv = "a,b,,d\n1,2,3,4\n";
const config = "# top\nport = 80\nhost = x\n\n[tls]\nport = 443\n";

type Case = readonly [script: string, input: string, stdout: string, status?: number];

/** What gawk and the GNU tools print, except that commands are refused. */
const cases: readonly Case[] = [
  // awk
  ["awk '{print $2}'", people, "30\n25\n41\n"],
  ["awk '$2 > 28 {print $1, $3}'", people, "ann oslo\ncid oslo\n"],
  ["awk '/oslo/ {n++} END {print n}'", people, "2\n"],
  ["awk '{s += $2} END {printf \"%d %.2f\\n\", s, s / NR}'", people, "96 32.00\n"],
  ["awk -F, '{print NF, $NF}'", csv, "4 d\n4 4\n"],
  ["awk -F, -v OFS=- '{$1 = $1; print}'", csv, "a-b--d\n1-2-3-4\n"],
  ["awk -F '[, ]+' '{print $2}' ", "a, b,c\n", "b\n"],
  ["awk 'NR == 2, /cid/'", people, "bob 25 rome\ncid 41 oslo\n"],
  ["awk '!seen[$3]++'", people, "ann 30 oslo\nbob 25 rome\n"],
  ["awk 'BEGIN {while (i < 3) {i++; if (i == 2) continue; print i}}'", "", "1\n3\n"],
  ["awk 'BEGIN {for (i = 1; i <= 3; i++) s = s i; print s; print length(s) length()}'", "", "123\n30\n"],
  ["awk 'BEGIN {do print ++i; while (i < 2)}'", "", "1\n2\n"],
  ["awk '{a[NR] = $1} END {for (i = NR; i > 0; i--) print a[i]}'", people, "cid\nbob\nann\n"],
  [
    "awk 'BEGIN {a[1, 2] = 3; for (k in a) {split(k, p, SUBSEP); print p[1] + p[2]}; print ((1, 2) in a), (2 in a)}'",
    "",
    "3\n1 0\n",
  ],
  ['awk \'BEGIN {n = split("a:b:c", p, ":"); print n, p[3]; delete p[3]; print length(p)}\'', "", "3 c\n2\n"],
  ["awk '{gsub(/o/, \"[&]\"); print}'", "foo bo\n", "f[o][o] b[o]\n"],
  ["awk '{sub(/o+/, \"\\\\&x\"); print}'", "foo\n", "f&x\n"],
  ["awk '{print substr($0, 2, 2), index($0, \"d\"), toupper($0)}'", "abcd\n", "bc 4 ABCD\n"],
  ["awk 'BEGIN {if (match(\"xxabyy\", /a.?/)) print RSTART, RLENGTH}'", "", "3 2\n"],
  [
    'awk \'BEGIN {printf "%5s|%-5s|%05d|%x|%c|%e|%g|%%\\n", "a", "b", 42, 255, 65, 12345.678, 0.0001}\'',
    "",
    "    a|b    |00042|ff|A|1.234568e+04|0.0001|%\n",
  ],
  ["awk 'function f(n) {return n < 2 ? 1 : n * f(n - 1)} BEGIN {print f(5)}'", "", "120\n"],
  ["awk 'function fill(a, i) {a[1] = 7} BEGIN {fill(x); print x[1]}'", "", "7\n"],
  ['awk \'BEGIN {print 1 == 1.0, "a" < "b", "10" < "9", 10 < 9}\'', "", "1 1 1 0\n"],
  ['awk \'$1 == "10" {print "text"} $1 == 10 {print "number"}\'', "10.0\n", "number\n"],
  [
    "awk 'BEGIN {print 2 ^ 3 ^ 2, -2 ^ 2, 7 % 3, 1 / 4, 1e6, 100000 * 100000, 0.1 + 0.2}'",
    "",
    "512 -4 1 0.25 1000000 10000000000 0.3\n",
  ],
  ['awk \'BEGIN {print 1 " " 2 + 3, 1 - 1, "a" > "/dev/stdout"}\'', "", "1 5 0 a\n"],
  ["awk '{ $5 = \"x\"; print; print NF }'", "a b\n", "a b   x\n5\n"],
  ["awk '{ NF = 2; print }'", "a b c\n", "a b\n"],
  ['awk \'BEGIN {RS = ""} {print NR ": " $1 "-" $NF}\'', "a b\nc\n\n\nd\n", "1: a-c\n2: d-d\n"],
  ["awk -v RS=';' '{print NR, $0}'", "a;b;c", "1 a\n2 b\n3 c\n"],
  ["awk 'NR == 1 {next} {print; exit 3} END {print \"end\"}'", people, "bob 25 rome\nend\n", 3],
  [
    'awk \'{print > "/tmp/o-" $3} END {close("/tmp/o-oslo"); while ((getline l < "/tmp/o-oslo") > 0) print "> " l}\'',
    people,
    "> ann 30 oslo\n> cid 41 oslo\n",
  ],
  ["awk '{getline n; print $1, n}'", "a\nb\n", "a b\n"],
  [
    "printf 'x\\n' > /tmp/p; awk '{print v, FILENAME, FNR}' v=1 /tmp/p v=2 /tmp/p",
    "",
    "1 /tmp/p 1\n2 /tmp/p 1\n",
  ],
  ["awk 'BEGIN { print ENVIRON[\"HOME\"], ARGC, ARGV[1] }' arg", "", "/root 2 arg\n"],
  [
    'awk \'\n# a comment\nBEGIN { x = 1; # another\n  if (x)\n    print "yes"\n  else\n    print "no"\n}\'',
    "",
    "yes\n",
  ],
  ["awk 'BEGIN { \"date\" | getline }'", "", "", 2],
  ["awk 'BEGIN { print 1 / 0 }'", "", "", 2],
  ["awk '{ print $(NF-1), $NF-1 }'", "1 2 3\n", "2 2\n"],
  ["awk -v p=b '$0 ~ \"^\" p {print $1}'", people, "bob\n"],
  ["awk '/^#/ || NF == 0 {next} {print $1}'", config, "port\nhost\n[tls]\nport\n"],
  // sed
  ["sed s/o/0/", "foo boo\n", "f0o boo\n"],
  ["sed 's/o/0/g; s/b/B/'", "foo boo\n", "f00 B00\n"],
  ["sed 's/o/0/3'", "foo boo\n", "foo b0o\n"],
  ["sed -E 's/(\\w+) (\\w+)/\\2 \\1/'", "ab cd\n", "cd ab\n"],
  ["sed 's/\\(a*\\)b/[\\1]/'", "aab\n", "[aa]\n"],
  ["sed 's|/usr|/opt|; s,x\\,y,z,'", "/usr/x,y\n", "/opt/z\n"],
  ["sed -n '2p'", people, "bob 25 rome\n"],
  ["sed -n '/ann/,/bob/p'", people, "ann 30 oslo\nbob 25 rome\n"],
  ["sed '1d;$d'", people, "bob 25 rome\n"],
  ["sed '/bob/!d'", people, "bob 25 rome\n"],
  ["sed -n '$='", people, "3\n"],
  ["sed 2q", people, "ann 30 oslo\nbob 25 rome\n"],
  ["sed '2q5'", people, "ann 30 oslo\nbob 25 rome\n", 5],
  [
    "sed -e '/\\[tls\\]/,$ s/port = .*/port = 8443/'",
    config,
    "# top\nport = 80\nhost = x\n\n[tls]\nport = 8443\n",
  ],
  ["sed '1i\\first' ", "a\n", "first\na\n"],
  ["sed '$a last'", "a", "a\nlast\n"],
  ["sed '/b/c\\changed'", "a\nb\n", "a\nchanged\n"],
  ["sed 'y/abc/xyz/'", "aabbcc\n", "xxyyzz\n"],
  ["sed ':a;N;$!ba;s/\\n/,/g'", "a\nb\nc\n", "a,b,c\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a script
  ["sed -n 'H;${x;s/\\n/-/g;p}'", "a\nb\n", "-a-b\n"],
  ["sed '1!G;h;$!d'", "a\nb\nc\n", "c\nb\na\n"],
  ["sed '$!N;s/\\n/ /'", "1\n2\n3\n", "1 2\n3\n"],
  ["sed -n '1~2p'", "1\n2\n3\n", "1\n3\n"],
  ["sed -n '/2/,+1p'", "1\n2\n3\n4\n", "2\n3\n"],
  ["sed '/^#/d;/^$/d'", config, "port = 80\nhost = x\n[tls]\nport = 443\n"],
  ["sed 's/.*/\\U&/;s/A/\\l&/'", "ab\n", "aB\n"],
  ["sed -e 's/a/b/' -e 't end' -e 's/$/!/' -e ': end'", "a\nc\n", "b\nc!\n"],
  ["sed -n 's/x/y/p'", "x\nz\n", "y\n"],
  ["sed -n '2{p;q}'", people, "bob 25 rome\n"],
  ["sed 's/x/a\\\nb/'", "x\n", "a\nb\n"],
  ["sed 's/a/b/", "a\n", "", 2],
  ["sed k", "a\n", "", 1],
  ["printf 'a=1\\nb=2\\n' > /tmp/c; sed -i s/1/9/ /tmp/c; cat /tmp/c", "", "a=9\nb=2\n"],
  ["printf 'a\\nb\\n' > /tmp/c; sed -i.old '1q' /tmp/c; cat /tmp/c /tmp/c.old", "", "a\na\nb\n"],
  ["printf 'no end' | sed s/no/an/", "", "an end"],
  // grep
  ["grep '^b.*e$'", people, "bob 25 rome\n"],
  ["grep -E 'ann|cid'", people, "ann 30 oslo\ncid 41 oslo\n"],
  ["grep -o '[0-9]*'", people, "30\n25\n41\n"],
  ["grep -c oslo", people, "2\n"],
  ["grep -vn oslo", people, "2:bob 25 rome\n"],
  ["grep -F 'a.c'", "abc\na.c\n", "a.c\n"],
  ["grep -i ANN", people, "ann 30 oslo\n"],
  ["grep -w 4", "4 1\n41\n", "4 1\n"],
  ["grep -x 4", "4\n41\n", "4\n"],
  ["grep -A1 ann", people, "ann 30 oslo\nbob 25 rome\n"],
  ["grep -B 1 --line-number cid", people, "2-bob 25 rome\n3:cid 41 oslo\n"],
  ["grep -m1 oslo", people, "ann 30 oslo\n"],
  ["grep -e rome -e 41", people, "bob 25 rome\ncid 41 oslo\n"],
  ["grep -q nobody", people, "", 1],
  ["grep x /nowhere", "", "", 2],
  [
    "printf 'x\\n' > /tmp/g1; printf 'y\\n' > /tmp/g2; grep -l x /tmp/g1 /tmp/g2; grep x /tmp/g1 /tmp/g2",
    "",
    "/tmp/g1\n/tmp/g1:x\n",
  ],
  // cut and tr
  ["cut -d, -f2,4", csv, "b,d\n2,4\n"],
  ["cut -c2-", "abc\n", "bc\n"],
  ["cut -d: -f1 -s", "a:b\nc\n", "a\n"],
  ["tr a-z A-Z", "abc\n", "ABC\n"],
  ["tr -d '\\n '", "a b\nc\n", "abc"],
  ["tr -s ' '", "a   b\n", "a b\n"],
  ["tr -cd '[:digit:]'", "a1b2\n", "12"],
  ["tr '[:lower:]' '[:upper:]'", "ab\n", "AB\n"],
];
for (const [script, input, stdout, status = 0] of cases)
  test(script.replaceAll("\n", "\\n"), async () => {
    const ended = await run(script, input);
    assert.equal(ended.stdout, stdout, ended.stderr);
    assert.equal(ended.status, status);
  });

for (const script of ["awk 'BEGIN {while (1) i++}'", "echo a | sed ':a;ba'"])
  test(`${script} is stopped, and lets others work meanwhile`, async () => {
    const ended = await run(script, "", afterTurnsOfOthers(4));
    assert.equal(ended.status, 143);
  });

for (const [script, message] of [
  ["awk 'BEGIN {s = \"x\"; while (1) s = s s}'", /a text is too long/],
  ["awk 'BEGIN {while (1) a[i++] = i}'", /the arrays are too large/],
  ["awk 'function f() {f()} BEGIN {f()}'", /nested too deeply/],
  ["awk '{$1000000 = 1}'", /access to field 1000000/],
  ["awk 'BEGIN {system(\"ls\")}'", /commands are not run/],
  ["awk 'BEGIN {print | \"sort\"}'", /commands are not run/],
  [`awk 'BEGIN {print ${"(".repeat(5_000)}'`, /nested too deeply/],
  ["sed ':a;s/x/xx/g;ba'", /too long/],
  ["sed 's/\\(x\\)\\1/y/'", /back-references/],
  [`sed '${"{".repeat(500)}'`, /nested too deeply/],
  ["grep '\\(x\\)\\1'", /back-references/],
] as const)
  test(`${script.slice(0, 40)} is refused: ${message.source}`, async () => {
    const ended = await run(script, "x\n");
    assert.match(ended.stderr, message);
    assert.notEqual(ended.status, 0);
  });

test("an edit of a file that is not there leaves the others edited", async () => {
  await run("true");
  await writeFile(join(folder, "root/tmp/there"), "a\n");
  const ended = await run("sed -i s/a/b/ /tmp/gone /tmp/there");
  assert.equal(ended.status, 2);
  assert.match(ended.stderr, /can't read \/tmp\/gone: No such file or directory/);
  assert.equal(await readFile(join(folder, "root/tmp/there"), "utf8"), "b\n");
});
