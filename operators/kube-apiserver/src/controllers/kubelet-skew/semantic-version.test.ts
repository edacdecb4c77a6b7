import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSemanticVersion } from "./semantic-version.ts";

for (const [text, major, minor] of [
  ["1.32.9", 1, 32],
  ["1.32.9-rc.1+abc.7", 1, 32],
  ["1.32.9+a-b", 1, 32],
  ["0.0.0", 0, 0],
] as const)
  test(`version ${text} is parsed`, () => assert.deepEqual(parseSemanticVersion(text), { major, minor }));

for (const [text, message] of [
  ["", "Version string empty"],
  ["1.32", "No Major.Minor.Patch elements found"],
  ["Invalid", "No Major.Minor.Patch elements found"],
  ["v1.32.9", 'Invalid character(s) found in major number "v1"'],
  ["01.32.9", 'Major number must not contain leading zeroes "01"'],
  ["1.x.9", 'Invalid character(s) found in minor number "x"'],
  ["1.032.9", 'Minor number must not contain leading zeroes "032"'],
  ["1.32.9.1", 'Invalid character(s) found in patch number "9.1"'],
  ["1.32.09", 'Patch number must not contain leading zeroes "09"'],
  ["1.32.9-", "Prerelease is empty"],
  ["1.32.9-01", 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ["1.32.9-a_b", 'Invalid character(s) found in prerelease "a_b"'],
  ["1.32.9+", "Build meta data is empty"],
  ["1.32.9+a_b", 'Invalid character(s) found in build meta data "a_b"'],
  ["99999999999999999999.1.1", 'strconv.ParseUint: parsing "99999999999999999999": value out of range'],
] as const)
  test(`version ${JSON.stringify(text)} is rejected with the original's message`, () =>
    assert.throws(() => parseSemanticVersion(text), { message }));
