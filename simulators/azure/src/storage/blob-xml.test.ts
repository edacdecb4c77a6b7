import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withAttributes, xmlDocument, xmlTexts } from "./blob-xml.ts";

test("what is written into an element is read from it, whatever its letters", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const document = xmlDocument({ BlockList: { Latest: texts } });
      assert.deepEqual(
        xmlTexts(document, "Latest").map(({ text }) => text),
        texts,
      );
    }),
  );
});

test("elements keep their order, attributes stay inside their quotation marks", () => {
  const root = withAttributes("List", { Name: `a"><b>&'` });
  const document = xmlDocument({
    [root]: { One: "1", None: undefined, Two: ["2", "3"], Inner: { Four: "4" } },
  });
  assert.equal(
    document,
    `<?xml version="1.0" encoding="utf-8"?><List Name="a&quot;&gt;&lt;b&gt;&amp;'"><One>1</One><Two>2</Two><Two>3</Two><Inner><Four>4</Four></Inner></List>`,
  );
  assert.deepEqual(
    xmlTexts(document, "Two", "One").map(({ name, text }) => [name, text]),
    [
      ["One", "1"],
      ["Two", "2"],
      ["Two", "3"],
    ],
  );
});
