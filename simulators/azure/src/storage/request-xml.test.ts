import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { xmlDocument } from "./blob-xml.ts";
import { elementsIn, textOf } from "./request-xml.ts";

const texts = (document: string) => elementsIn(document, "BlockList").map(({ name, text }) => [name, text]);

test("the content of an element is read as it was written, with any characters", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (written) => {
      const document = xmlDocument({ BlockList: { Latest: written } });
      assert.deepEqual(
        texts(document),
        written.map((each) => ["Latest", each]),
      );
    }),
  );
});

test("elements are read in their order, without comments, as every XML writer has them", () => {
  const document = `\u{feff}<?xml version="1.0"?>
    <BlockList xmlns="urn:a">
      <Latest kind="x">one</Latest><!-- <Latest>not this</Latest> -->
      <Committed><![CDATA[<two>]]></Committed>
      <Latest>&#116;hr&#x65;e &amp; more</Latest><Uncommitted/>
    </BlockList>`;
  assert.deepEqual(texts(document), [
    ["Latest", "one"],
    ["Committed", "<two>"],
    ["Latest", "three & more"],
    ["Uncommitted", ""],
  ]);
});

test("nested elements are read only below their parents", () => {
  const [website] = elementsIn("<P><Website><Enabled>true</Enabled></Website></P>", "P");
  assert.equal(website?.name, "Website");
  assert.equal(textOf(website?.children ?? [], "Enabled"), "true");
  assert.equal(
    textOf(elementsIn("<P><Website><Enabled>true</Enabled></Website></P>", "P"), "Enabled"),
    undefined,
  );
});

test("invalid XML or a different root is rejected", () => {
  const documents = [
    "",
    '{"BlockList":{}}',
    "<BlockList><Latest>a</BlockList>",
    "<BlockList>",
    "<BlockList></BlockList><BlockList></BlockList>",
    "<BlockList><Latest>a & b</Latest></BlockList>",
    "<Blocks></Blocks>",
    `<!DOCTYPE a [<!ENTITY x "${"y".repeat(1000)}">]><BlockList>${"&x;".repeat(1000)}</BlockList>`,
  ];
  for (const document of documents) {
    assert.throws(
      () => elementsIn(document, "BlockList"),
      { status: 400, code: "InvalidXmlDocument" },
      document,
    );
  }
});
