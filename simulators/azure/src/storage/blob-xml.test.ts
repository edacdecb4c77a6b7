import assert from "node:assert/strict";
import { test } from "node:test";
import { xmlDocument } from "./blob-xml.ts";

test("elements keep their order, attributes stay inside their quotation marks", () => {
  const document = xmlDocument({
    List: {
      "@Name": `a"><b>&'`,
      "@Container": "true",
      One: "1",
      None: undefined,
      Two: ["2", "3"],
      Inner: { Four: "<4>" },
      Empty: "",
    },
  });
  assert.equal(
    document,
    `<?xml version="1.0" encoding="utf-8"?><List Name="a&quot;&gt;&lt;b&gt;&amp;&apos;" Container="true"><One>1</One><Two>2</Two><Two>3</Two><Inner><Four>&lt;4&gt;</Four></Inner><Empty></Empty></List>`,
  );
});
