/** `make generate`: writes the ARM templates for the deployment on Azure. The source is services/deploy. */
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { templateFiles } from "@keelson/deploy";

const root = join(import.meta.dirname, "../..");
const files = templateFiles();
mkdirSync(join(root, "deploy"), { recursive: true });
for (const [file, content] of files) writeFileSync(join(root, file), content);
for (const file of globSync("deploy/*.json", { cwd: root })) {
  if (!files.has(file)) rmSync(join(root, file));
}
console.log(`${files.size} templates are made from services/deploy`);
