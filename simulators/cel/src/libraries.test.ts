import assert from "node:assert/strict";
import { test } from "node:test";
import { CostBudget, compileExpression, toJson } from "./index.ts";

function evaluate(source: string): unknown {
  const compiled = compileExpression(source, { variables: {} });
  if (compiled.kind === "invalid") return compiled.message;
  const outcome = compiled.program.evaluate({}, new CostBudget());
  if (outcome.kind === "value") return toJson(outcome.value);
  return outcome.kind === "error" ? `error: ${outcome.message}` : outcome.kind;
}

const rows: readonly (readonly [string, unknown])[] = [
  [
    "isURL('https://example.com:80/path?q=1') && !isURL('example.com') && isURL('/abs') && !isURL('https://a:b:c/')",
    true,
  ],
  ["url('https://user@example.com:8443/a b?x=1&x=2').getHost()", "example.com:8443"],
  [
    "url('https://example.com:8443/').getHostname() + url('https://example.com:8443/').getPort()",
    "example.com8443",
  ],
  ["url('https://[::1]:80/').getHost() + ' ' + url('https://[::1]:80/').getHostname()", "[::1]:80 ::1"],
  ["url('https://example.com/a%20b').getEscapedPath()", "/a%20b"],
  ["url('https://example.com/?k=a&k=b').getQuery()", { k: ["a", "b"] }],
  ["url('https://example.com').getQuery() == {}", true],
  ["quantity('1Gi').compareTo(quantity('1024Mi'))", 0],
  ["quantity('50k').isGreaterThan(quantity('49k')) && quantity('50m').isLessThan(quantity('1'))", true],
  [
    "quantity('1.3Gi').isInteger() && quantity('50000000G').isInteger() && !quantity('50m').isInteger()",
    false,
  ],
  ["quantity('50k').asInteger() + quantity('50k').add(5).asInteger()", 100_005],
  ["quantity('1500m').asApproximateFloat()", 1.5],
  ["sign(quantity('1.5').sub(quantity('0.5')))", 1],
  ["isQuantity('1.3G') && !isQuantity('200K') && !isQuantity('Three')", true],
  [
    "sign(quantity('x'))",
    "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ["isIP('192.168.0.1') && isIP('::1') && !isIP('192.168.0.256') && !isIP('::ffff:1.2.3.4')", true],
  ["ip('192.168.0.1').family() + ip('2001:db8::1').family()", 10],
  ["ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')", true],
  [
    "ip('127.0.0.1').isLoopback() && ip('fe80::1').isLinkLocalUnicast() && ip('8.8.8.8').isGlobalUnicast()",
    true,
  ],
  ["string(ip('2001:0db8:0:0:0:0:0:1'))", "2001:db8::1"],
  [
    "cidr('192.168.0.0/24').containsIP('192.168.0.1') && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))",
    true,
  ],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.2.3/8').prefixLength() == 8", true],
  [
    "string(cidr('192.168.0.1/24').masked()) + ' ' + string(cidr('192.168.0.1/24').ip())",
    "192.168.0.0/24 192.168.0.1",
  ],
  ["isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0/08')", true],
  ["isSemver('1.2.3-alpha.1+b') && !isSemver('v1.2.3') && isSemver('v1.2', true)", true],
  ["semver('1.10.0').isGreaterThan(semver('1.9.9')) && semver('1.0.0-a').isLessThan(semver('1.0.0'))", true],
  ["semver('1.2.3').major() + semver('1.2.3').minor() + semver('1.2.3').patch()", 6],
  ["format.dns1123Label().validate('my-name').hasValue()", false],
  ["format.dns1123Label().validate('My_Name').value().size()", 1],
  ["format.named('dns1035Label').value().validate('1a').hasValue()", true],
  [
    "format.uuid().validate('x').hasValue() && !format.datetime().validate('2020-01-01T00:00:00Z').hasValue()",
    true,
  ],
  ["!format.named('nope').hasValue()", true],
  ["format.qualifiedName().validate('example.com/name').hasValue()", false],
  ["[[1, 2], [3]].flatten() == [1, 2, 3] && [1, 1, 2].distinct() == [1, 2] && [3, 1].sort() == [1, 3]", true],
  ["[duration('1s'), duration('2s')].sum() == duration('3s')", true],
  ["[].sum() == 0", true],
  ["strings.quote('a\"b\\n')", '"a\\"b\\n"'],
  ["'abc'.reverse()", "cba"],
];

for (const [source, expected] of rows) {
  test(`${source} returns ${JSON.stringify(expected)}`, () => assert.deepEqual(evaluate(source), expected));
}
