/**
 * `make generate`: writes all files that are generated from `api/` and removes obsolete ones. Also draws the architecture
 * picture. See api/README.md.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { adminRolesFile, withAdminRoles } from "./admin-roles.ts";
import { pictureFile, withArchitecturePicture } from "./architecture-picture.ts";
import { emitDocuments } from "./emit-documents.ts";
import { fingerprintFile, fingerprintOf } from "./fingerprint.ts";
import { generatedDirectories, generatedFiles } from "./generated-files.ts";

const root = join(import.meta.dirname, "../..");
const files = generatedFiles(await emitDocuments(join(root, "api/main.tsp")));
for (const [file, content] of files) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}
for (const entry of globSync(`{${generatedDirectories.join(",")}}/**/*.*`, {
  cwd: root,
  withFileTypes: true,
})) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !files.has(file.slice(root.length + 1))) rmSync(file);
}
writeFileSync(join(root, fingerprintFile), `${JSON.stringify(fingerprintOf(root), null, 2)}\n`);
const roles = join(root, adminRolesFile);
writeFileSync(roles, withAdminRoles(readFileSync(roles, "utf8")));
const picture = join(root, pictureFile);
writeFileSync(picture, withArchitecturePicture(readFileSync(picture, "utf8")));
console.log(`${files.size} files are generated from api/`);
