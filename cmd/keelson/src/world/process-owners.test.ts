import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorManifests } from "@keelson/aro-api/manifests";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { manifests as apiserverManifests } from "@keelson/kube-apiserver-operator";
import { manifests as samplesManifests } from "@keelson/samples-operator";
import { admitCommand } from "./admit-command.ts";
import { containerPrograms } from "./container-flags.ts";
import { processOwners } from "./process-owners.ts";

const release = {
  image: "keelson:latest",
  version: "4.19.1",
  kubernetesVersion: "1.32.1",
  operandImage: "x",
};
const strings = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

test("the allow list contains the Deployments of all operators and admits their commands", () => {
  const ofService = operatorManifests({
    image: "keelson:latest",
    usesWorkloadIdentity: false,
    supportsPodSecurity: true,
  });
  const deployments = [...ofService, ...apiserverManifests(release), ...samplesManifests(release)]
    .map(({ object }) => object)
    .filter(({ kind }) => kind === "Deployment");
  assert.equal(deployments.length, 4);
  for (const deployment of deployments) {
    const { namespace, name } = deployment.metadata;
    const owner = processOwners.find(
      (each) => each.namespace === namespace && each.kind === "Deployment" && each.name === name,
    );
    assert.ok(owner, name);
    const [container] = listAt(deployment, "spec", "template", "spec", "containers");
    const [program, ...rest] = strings(valueAt(container, "command"));
    const args = [...rest, ...strings(valueAt(container, "args"))];
    const found = admitCommand({ programs: owner.programs, program, args });
    assert.ok("args" in found, stringAt(found, "refused"));
  }
});

test("every program of the allow list is known", () => {
  const known = Object.keys(containerPrograms);
  for (const { programs } of processOwners)
    for (const each of programs) assert.ok(known.includes(each), each);
});
